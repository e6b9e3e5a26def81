// What a task costs: a stored result in process and as a command, a script beside a bare spawn, and a thousand that wait.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type Goal, ratio, type SuiteOptions, type SuiteResult } from './goal.ts';
import { type Measured, measure, median } from './measure.ts';
import { skillwright } from './peer.ts';
import type { WorkerFigures } from './worker-calls.ts';

export async function bench({ root, folder, rounds }: SuiteOptions): Promise<SuiteResult> {
  const place = path.join(folder, 'worker');
  mkdirSync(place);
  const figures = runCalls(root, place, Math.max(rounds, 30));
  const inMemory = runInMemory(root, Math.max(rounds, 30));
  // The calls left a result that is stored for minutes.
  const at = { cwd: path.join(place, 'project'), home: path.join(place, 'home') };
  const task = ['task', 'count the parts', 'run python bin/x.py', '--key', 'k', '--json'];
  const cli = measure(
    [
      { name: 'skillwright --version', argv: [skillwright(root), '--version'], ...at },
      {
        name: 'stored task',
        argv: [skillwright(root), ...task],
        ...at,
        accept: (out) => out.includes('"cached":true'),
      },
    ],
    Math.max(rounds, 20),
  );
  const share = (figures.cpuMs / figures.waitedMs) * 100;
  return {
    measured: [
      ...cli.values(),
      row('stored task, in process', figures.hit),
      row('bare spawn of python', figures.bare),
      row('task without sandbox', figures.dispatch),
      ...(inMemory
        ? [row('bare spawn, files in memory', inMemory.bare), row('task, files in memory', inMemory.dispatch)]
        : []),
    ],
    goals: [
      goal('stored task, in process', median(figures.hit), 3, 'ms'),
      ratio('stored task / --version', cli.get('stored task'), cli.get('skillwright --version'), 1.4),
      goal('task above a bare spawn', median(figures.dispatch) - median(figures.bare), 5, 'ms'),
      goal('processor, 1,000 waiting for 1,000 keys', share, 2, '%'),
      goal('looks at the store a second, 1,000 waiting', (figures.looks / figures.waitedMs) * 1000, 40, '/s'),
    ],
  };
}

/** The same where creating a file costs next to nothing: what is left is ours, the rest of a task's time the disk's. */
function runInMemory(root: string, rounds: number): WorkerFigures | undefined {
  if (!existsSync('/dev/shm')) return undefined;
  const folder = mkdtempSync('/dev/shm/skillwright-bench-');
  try {
    return runCalls(root, folder, rounds);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runCalls(root: string, folder: string, rounds: number): WorkerFigures {
  const script = path.join(root, 'bench', 'worker-calls.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, folder, String(rounds)], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', HOME: path.join(folder, 'home'), TMPDIR: folder },
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as WorkerFigures;
}

function row(name: string, times: readonly number[]): Measured {
  return { name, median: median(times), min: Math.min(...times) };
}

function goal(what: string, value: number, limit: number, unit: Goal['unit']): Goal {
  return { what, value, limit, unit };
}
