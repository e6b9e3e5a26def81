// How long 500 scripted eval cases take, and whether several workers change anything but the time.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { scriptedCases } from './eval-cases.ts';
import type { SuiteOptions, SuiteResult } from './goal.ts';
import { type Contestant, measure } from './measure.ts';

const CASES = 500;
const WORKERS = [1, 4];
/** Each round takes seconds. */
const ROUNDS = 2;

export async function bench({ root, folder, rounds }: SuiteOptions): Promise<SuiteResult> {
  const project = path.join(folder, 'evals');
  const home = path.join(folder, 'evals-home');
  mkdirSync(path.join(project, '.agent', 'evals'), { recursive: true });
  mkdirSync(home);
  writeFileSync(path.join(project, '.agent', 'evals', 'many.json'), JSON.stringify(scriptedCases(CASES)));
  const isSame = sameContent();
  const cli = path.join(root, 'dist', 'cli.cjs');
  const contestants = WORKERS.map(
    (workers): Contestant => ({
      name: `${CASES} scripted cases, ${workers} workers`,
      argv: [cli, 'eval', 'many', '--json', '--workers', String(workers)],
      cwd: project,
      home,
      accept: isSame,
    }),
  );
  const measured = [...measure(contestants, Math.min(rounds, ROUNDS)).values()];
  const goals = measured.map(({ name, min }) => ({ what: name, value: min, limit: 20_000, unit: 'ms' as const }));
  return { measured, goals };
}

/** All cases pass, and every run says the same but for how long it took. */
function sameContent(): (stdout: string) => boolean {
  let first: string | undefined;
  return (stdout) => {
    const { data } = JSON.parse(stdout) as { data: { cases: { state: string }[]; metrics: object } };
    const content = JSON.stringify(data, (key, value: unknown) => (key.startsWith('milliseconds') ? 0 : value));
    first ??= content;
    return content === first && data.cases.length === CASES && data.cases.every(({ state }) => state === 'passed');
  };
}
