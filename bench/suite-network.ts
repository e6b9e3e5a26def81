// What the proxy of a call costs: a call that has one beside a call without a network, and 100 MB through it and straight.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import type { SuiteOptions, SuiteResult } from './goal.ts';
import { type Measured, median } from './measure.ts';

const ROWS = {
  without: 'call without a network',
  ready: 'call with its proxy ready',
  httpsDirect: '100 MB by TLS, straight',
  https: '100 MB by TLS, through the tunnel',
  httpDirect: '100 MB by HTTP, straight',
  http: '100 MB by HTTP, through the proxy',
} as const;

type Figures = Record<keyof typeof ROWS, number[]>;

export async function bench({ root, rounds }: SuiteOptions): Promise<SuiteResult> {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(root, 'bench', 'network-calls.ts'), String(Math.max(rounds, 20))],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  const figures = JSON.parse(stdout) as Figures;
  const share = (a: keyof Figures, b: keyof Figures) => median(figures[a]) / median(figures[b]);
  return {
    measured: Object.entries(ROWS).map(([key, name]): Measured => {
      const times = figures[key as keyof Figures];
      return { name, median: median(times), min: Math.min(...times) };
    }),
    goals: [
      {
        what: 'call with its proxy ready / without a network',
        value: share('ready', 'without'),
        limit: 1.08,
        unit: '×',
      },
      { what: '100 MB through the tunnel / straight, time', value: share('https', 'httpsDirect'), limit: 2, unit: '×' },
    ],
  };
}
