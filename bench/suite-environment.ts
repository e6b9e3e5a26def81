// What packages cost: a call that has some beside one without, a preparation beside pip alone, and a second one beside `list`.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import type { SuiteOptions, SuiteResult } from './goal.ts';
import { type Measured, median } from './measure.ts';

const ROWS = {
  without: 'call of a skill without packages',
  within: 'call in an environment of 20 packages',
  pip: 'pip install of 20 wheels into a virtual environment',
  anew: 'prepare of the same, nothing locked',
  first: 'prepare of the same, locked',
  second: 'prepare again',
  list: 'list',
} as const;

type Figures = Record<keyof typeof ROWS, number[]>;

export async function bench({ root, rounds }: SuiteOptions): Promise<SuiteResult> {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(root, 'bench', 'environment-calls.ts'), root, String(rounds)],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  const figures = JSON.parse(stdout) as Figures;
  const goal = (what: string, a: keyof Figures, b: keyof Figures, limit: number) =>
    ({ what, value: median(figures[a]) / median(figures[b]), limit, unit: '×' }) as const;
  return {
    measured: Object.entries(ROWS).map(([key, name]): Measured => {
      const times = figures[key as keyof Figures];
      return { name, median: median(times), min: Math.min(...times) };
    }),
    goals: [
      goal('call in a prepared environment / without one', 'within', 'without', 1.08),
      goal('prepare of 20 small wheels, locked / pip install', 'first', 'pip', 1.5),
      goal('second prepare / list', 'second', 'list', 1.3),
    ],
  };
}
