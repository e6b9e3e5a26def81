// What a client of `skillwright mcp` waits for: the first list of tools beside a server of the SDK alone, and a call of a
// skill beside the same call of the library.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import type { SuiteOptions, SuiteResult } from './goal.ts';
import { type Measured, median } from './measure.ts';

const ROWS = {
  bare: 'first tools/list, server of the SDK alone',
  ours: 'first tools/list, skillwright mcp',
  library: 'call of a skill, library',
  called: 'run_skill of the same, through the server',
} as const;

type Figures = Record<keyof typeof ROWS, number[]>;

export async function bench({ root, rounds }: SuiteOptions): Promise<SuiteResult> {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(root, 'bench', 'mcp-calls.ts'), root, String(Math.max(rounds, 20))],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  const figures = JSON.parse(stdout) as Figures;
  return {
    measured: Object.entries(ROWS).map(([key, name]): Measured => {
      const times = figures[key as keyof Figures];
      return { name, median: median(times), min: Math.min(...times) };
    }),
    goals: [
      {
        what: 'first tools/list / server of the SDK alone',
        value: median(figures.ours) / median(figures.bare),
        limit: 1.25,
        unit: '×',
      },
      {
        what: 'run_skill, above the library',
        value: median(figures.called) - median(figures.library),
        limit: 5,
        unit: 'ms',
      },
    ],
  };
}
