// The library at its start: what a program waits for until it has a handle, and until it knows a thousand skills.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Goal, ratio, type SuiteOptions, type SuiteResult } from './goal.ts';
import { type Contestant, type Measured, measure } from './measure.ts';
import { plantSkills } from './tree.ts';

const SKILLS = 1_000;
const LEAST_ROUNDS = 20;
const RUNS = 3;
const MOST_MS = 40;

const IMPORT = `import { openSkillwright } from 'skillwright';`;
const OPEN = `${IMPORT}\nconst sw = await openSkillwright({ project: '.' });`;
const PROGRAMS = {
  'an empty module': '',
  "import 'skillwright'": IMPORT,
  [`openSkillwright, ${SKILLS} skills`]: OPEN,
  [`and skills(), ${SKILLS} skills, cached`]: `${OPEN}\nconsole.log((await sw.skills()).length);`,
  [`and skills(), ${SKILLS} skills, empty cache`]: `${OPEN}\nconsole.log((await sw.skills()).length);`,
};
const [EMPTY = '', IMPORTED = '', OPENED = '', , COLD] = Object.keys(PROGRAMS);

const METHOD = `Node from its start to its end, with the package as built; three runs of the suite, of which the times above the import are the best.`;

export async function bench({ root, folder, rounds }: SuiteOptions): Promise<SuiteResult> {
  const contestants = makeContestants(root, path.join(folder, 'library'));
  const runs = Array.from({ length: RUNS }, () => measure(contestants, Math.max(rounds, LEAST_ROUNDS)));
  const best = runs.toSorted((a, b) => above(a, OPENED) - above(b, OPENED))[0] ?? new Map();
  return { method: METHOD, measured: [...best.values()], goals: goalsOf(best, runs) };
}

function makeContestants(root: string, project: string): Contestant[] {
  plantSkills(project, SKILLS);
  mkdirSync(path.join(project, 'node_modules'));
  symlinkSync(root, path.join(project, 'node_modules', 'skillwright'));
  return Object.entries(PROGRAMS).map(([name, code], at) => {
    const [file, home] = [path.join(project, `${at}.mjs`), path.join(project, `home-${at}`)];
    writeFileSync(file, code);
    mkdirSync(home);
    return {
      ...{ name, argv: [file], cwd: project, home },
      ...(code.includes('log') && { accept: (said: string) => Number(said) >= SKILLS }),
      ...(name === COLD && { before: () => rmSync(path.join(home, '.agent'), { recursive: true, force: true }) }),
    };
  });
}

type Measurement = ReadonlyMap<string, Measured>;

function goalsOf(best: Measurement, runs: readonly Measurement[]): Goal[] {
  const opened = Math.min(...runs.map((run) => above(run, OPENED)));
  return [
    ratio("import 'skillwright' / an empty module", best.get(IMPORTED), best.get(EMPTY), 1.5),
    { what: `openSkillwright on ${SKILLS} skills, above the import`, value: opened, limit: MOST_MS, unit: 'ms' },
  ];
}

/** In one run, milliseconds above the import alone. */
function above(run: Measurement, name: string): number {
  const [imported, named] = [run.get(IMPORTED), run.get(name)];
  return (named?.median ?? Number.NaN) - (imported?.median ?? Number.NaN);
}
