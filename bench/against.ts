// node bench/against.ts FOLDER: the same commands by this checkout and by another, both built; is anything slower?
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Goal, printGoals, printMeasured, ratio } from './goal.ts';
import { type Contestant, measure } from './measure.ts';
import { skillwright } from './peer.ts';
import { plantSkills } from './tree.ts';

const ROOT = path.dirname(import.meta.dirname);
const SKILLS = 1_000;
/** What two medians of one program differ by on a shared machine. */
const NOISE = 1.1;

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  version: ['--version'],
  help: ['--help'],
  'list of 1,000': ['list'],
  'search in 1,000': ['search', 'invoice schema'],
  validate: ['validate', '.claude/skills'],
  explain: ['explain', 'csv-insights', 'run_script'],
  call: ['call', 'csv-insights', 'analyze', 'target=sales.csv', '--yes'],
  invoke: ['invoke', '@markdown-converter', 'notes.md', '--yes'],
  run: ['run', 'convert notes.md to html', '--model', 'offline', '--yes'],
  'runs list': ['runs', 'list'],
};

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '15' } },
  allowPositionals: true,
});
const [other] = positionals;
if (!other) throw new Error('which checkout? node bench/against.ts FOLDER');
const checkouts = { now: ROOT, before: path.resolve(other) };

delete process.env.NODE_EXTRA_CA_CERTS;
const folder = mkdtempSync(path.join(tmpdir(), 'skillwright-against-'));
try {
  const goals: Goal[] = [];
  const rows = Object.entries(COMMANDS).flatMap(([name, words]) => {
    const both = measure([contestant(name, words, 'before'), contestant(name, words, 'now')], Number(values.rounds));
    goals.push(ratio(`${name}: now / before`, both.get(`${name}, now`), both.get(`${name}, before`), NOISE));
    return [...both.values()];
  });
  printMeasured('against another checkout', rows);
  printGoals(goals);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Each checkout has a project and a home of its own, so that neither reads what the other remembered. */
function contestant(name: string, words: readonly string[], which: keyof typeof checkouts): Contestant {
  const cwd = path.join(folder, which, 'project');
  const home = path.join(folder, which, 'home');
  if (mkdirSync(home, { recursive: true })) plantProject(cwd);
  return { name: `${name}, ${which}`, argv: [skillwright(checkouts[which]), ...words], cwd, home, codes: [0, 1] };
}

function plantProject(cwd: string): void {
  plantSkills(cwd, SKILLS);
  writeFileSync(path.join(cwd, 'notes.md'), '# Notes\n\nOne line.\n');
  writeFileSync(path.join(cwd, 'sales.csv'), 'month,sum\nMay,3\nJune,4\n');
}
