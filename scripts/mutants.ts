// Applies each mutant of test/mutants/ to a copy of the repository and runs the tests of its rule: they must fail.
// mutants.ts [--json] [--width N] [RULE…]: a rule ('001-12') or a seed ('001'); without one, all.
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { MUTANTS, RULES_WITHOUT_MUTANT } from '../test/mutants/all.ts';
import { judgeMutants } from './mutant/judge.ts';
import type { Verdict } from './mutant/verdict.ts';
import { passShims } from './python-path.ts';
import { readClaims } from './rule/claim.ts';

const root = path.dirname(import.meta.dirname);
const { values, positionals } = parseArgs({
  options: { json: { type: 'boolean' }, width: { type: 'string' } },
  allowPositionals: true,
});

// Trees are removed and test processes ended on the way out.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
passShims();
await main();

async function main(): Promise<void> {
  const mutants = MUTANTS.filter(({ rule }) => isWanted(rule));
  const open = RULES_WITHOUT_MUTANT.filter(isWanted);
  const width = Math.min(Number(values.width ?? availableParallelism()), Math.max(1, mutants.length));
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const verdicts = await judgeMutants({ root, mutants, claims: readClaims(root), width, say });
  process.stdout.write(values.json ? `${JSON.stringify({ verdicts, open })}\n` : render(verdicts, open));
  const isAllKilled = verdicts.every(({ result }) => result === 'killed') && open.length === 0 && verdicts.length > 0;
  process.exitCode = isAllKilled ? 0 : 1;
}

function isWanted(rule: string): boolean {
  return positionals.length === 0 || positionals.some((wanted) => rule === wanted || rule.startsWith(`${wanted}-`));
}

function render(verdicts: readonly Verdict[], open: readonly string[]): string {
  const rows = verdicts.map(({ mutant, result, by }) => {
    const shown = result === 'killed' ? 'killed' : result.toUpperCase();
    return `${mutant.rule.padEnd(8)} ${shown.padEnd(9)} ${mutant.file}: ${mutant.shows} (${by})`;
  });
  const of = (wanted: Verdict['result']) => verdicts.filter(({ result }) => result === wanted);
  const names = (some: readonly Verdict[]) => some.map(({ mutant }) => mutant.rule).join(' ');
  const totals = [
    `${of('killed').length} killed, ${of('survived').length} survived, ${of('broken').length} broken`,
    ...(of('survived').length > 0 ? [`survived: ${names(of('survived'))}`] : []),
    ...(of('broken').length > 0 ? [`broken: ${names(of('broken'))}`] : []),
    ...(open.length > 0 ? [`${open.length} rules without a mutant: ${open.join(' ')}`] : []),
  ];
  return `${[...rows, '', ...totals].join('\n')}\n`;
}
