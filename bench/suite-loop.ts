// What the agent loop adds to a turn, with few skills and with many, and whether a long run keeps its memory.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import type { Goal, SuiteOptions, SuiteResult } from './goal.ts';
import type { LoopFigures } from './loop-turns.ts';
import { type Measured, median } from './measure.ts';

const RUNS = 3;

export async function bench({ root, folder }: SuiteOptions): Promise<SuiteResult> {
  const few = bestOf(root, folder, 10, 200);
  const many = bestOf(root, folder, 10_000, 200);
  const long = runLoop(root, path.join(folder, 'loop-long'), 10, 1_000);
  return {
    measured: [row('turn, 10 skills', few), row('turn, 10,000 skills', many), row('turn of 1,000, 10 skills', long)],
    goals: [
      goal('turn, 10 skills', median(few.turns), 2, 'ms'),
      goal('turn, 10,000 skills', median(many.turns), 5, 'ms'),
      goal('heap, turn 1,000 above turn 100', long.heapLateMb - long.heapEarlyMb, 4, 'MB'),
    ],
  };
}

function bestOf(root: string, folder: string, skills: number, turns: number): LoopFigures {
  const runs = Array.from({ length: RUNS }, (_, at) =>
    runLoop(root, path.join(folder, `loop-${skills}-${at}`), skills, turns),
  );
  return runs.reduce((best, one) => (median(one.turns) < median(best.turns) ? one : best));
}

function runLoop(root: string, folder: string, skills: number, turns: number): LoopFigures {
  const script = path.join(root, 'bench', 'loop-turns.ts');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--expose-gc', script, folder, String(skills), String(turns)],
    { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as LoopFigures;
}

function row(name: string, { turns, heapLateMb }: LoopFigures): Measured {
  return { name, median: median(turns), min: Math.min(...turns), peakMb: heapLateMb };
}

function goal(what: string, value: number, limit: number, unit: Goal['unit']): Goal {
  return { what, value, limit, unit };
}
