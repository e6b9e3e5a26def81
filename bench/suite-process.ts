// What the door and the sandbox cost on top of a bare spawn, as the caller and as an ordinary user.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Goal, SuiteOptions, SuiteResult } from './goal.ts';
import { type Measured, median } from './measure.ts';

interface Figures {
  readonly tier: string;
  readonly bare: number[];
  readonly none: number[];
  readonly best: number[];
  readonly flood: number[];
  readonly capped: number[];
  readonly floodMb: number;
}

const ORDINARY_USER = 12345;

export async function bench({ root, folder, rounds }: SuiteOptions): Promise<SuiteResult> {
  const count = Math.max(rounds, 20);
  const isRoot = process.geteuid?.() === 0;
  const self = runCalls(root, folder, count);
  const ordinary = isRoot ? runCalls(root, folder, count, ORDINARY_USER) : self;
  return {
    measured: [...rows(isRoot ? 'root' : 'user', self), ...(isRoot ? rows('user', ordinary) : [])],
    goals: [
      goal('call without sandbox / bare spawn', median(self.none) / median(self.bare), 1.15, '×'),
      goal(`${ordinary.tier} adds, ordinary user`, median(ordinary.best) - median(ordinary.none), 25, 'ms'),
      ...(isRoot ? [goal(`${self.tier} adds, root`, median(self.best) - median(self.none), 40, 'ms')] : []),
      goal('100 MB flood: closed after the cap', median(self.flood) - median(self.capped), 10, 'ms'),
      goal('100 MB flood: memory above idle', self.floodMb, 130, 'MB'),
    ],
  };
}

function runCalls(root: string, folder: string, rounds: number, uid?: number): Figures {
  const temporary = path.join(folder, `calls-${uid ?? 'self'}`);
  mkdirSync(temporary);
  chmodSync(folder, 0o755);
  chmodSync(temporary, 0o777);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(root, 'bench', 'process-calls.ts'), String(rounds)],
    {
      cwd: temporary,
      encoding: 'utf8',
      env: { PATH: uid === undefined ? (process.env.PATH ?? '') : '/usr/bin:/bin', HOME: temporary, TMPDIR: temporary },
      ...(uid !== undefined && { uid, gid: uid }),
    },
  );
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Figures;
}

function rows(who: string, { tier, bare, none, best }: Figures): Measured[] {
  const row = (name: string, times: number[]): Measured => ({
    name: `${name} (${who})`,
    median: median(times),
    min: Math.min(...times),
  });
  return [row('bare spawn of python', bare), row('door, no sandbox', none), row(`door, ${tier}`, best)];
}

function goal(what: string, value: number, limit: number, unit: Goal['unit']): Goal {
  return { what, value, limit, unit };
}
