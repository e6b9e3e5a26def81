// What a layer over the project costs a call, in small and in very large projects; and what applying its changes takes.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Goal, SuiteOptions, SuiteResult } from './goal.ts';
import { type Measured, median } from './measure.ts';
import type { TierFigures, WorkspaceFigures } from './workspace-calls.ts';

const ORDINARY_USER = 12345;

export async function bench({ root, folder, rounds }: SuiteOptions): Promise<SuiteResult> {
  const count = Math.max(rounds, 20);
  const isRoot = process.geteuid?.() === 0;
  const runs = [
    { who: isRoot ? 'root' : 'user', figures: runCalls(root, folder, count) },
    ...(isRoot ? [{ who: 'user', figures: runCalls(root, folder, count, ORDINARY_USER) }] : []),
  ];
  return {
    method:
      'In one process, interleaved: a script that does nothing, by itself, and by `exec` in an empty project, one of 10,000 and one of 200,000 files, each looked through before. Applying: 1,000 files of 4 KB, flushed once, beside `cp -a` of the same, which flushes nothing.',
    measured: runs.flatMap(({ who, figures }) => rows(who, figures)),
    goals: runs.flatMap(({ who, figures }) => goals(who, figures)),
  };
}

function runCalls(root: string, folder: string, rounds: number, uid?: number): WorkspaceFigures {
  const temporary = path.join(folder, `layers-${uid ?? 'self'}`);
  mkdirSync(temporary);
  chmodSync(folder, 0o755);
  chmodSync(temporary, 0o777);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(root, 'bench', 'workspace-calls.ts'), String(rounds)],
    {
      cwd: temporary,
      encoding: 'utf8',
      env: { PATH: uid === undefined ? (process.env.PATH ?? '') : '/usr/bin:/bin', HOME: temporary, TMPDIR: temporary },
      ...(uid !== undefined && { uid, gid: uid }),
    },
  );
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as WorkspaceFigures;
}

function rows(who: string, { tiers, apply, copy }: WorkspaceFigures): Measured[] {
  const calls = Object.entries(tiers).flatMap(([tier, { bare, empty, small, large }]) => [
    row(`bare spawn of the script, beside ${tier} (${who})`, bare),
    row(`exec, ${tier}, empty project (${who})`, empty),
    row(`exec, ${tier}, 10,000 files (${who})`, small),
    ...(large ? [row(`exec, ${tier}, 200,000 files (${who})`, large)] : []),
  ]);
  return [...calls, row(`cp -a of 1,000 files (${who})`, copy), row(`applying 1,000 files (${who})`, apply)];
}

function row(name: string, times: readonly number[]): Measured {
  return { name, median: median(times), min: Math.min(...times) };
}

/** A copy of the project is reported, and has no goal. */
function goals(who: string, { tiers, apply, copy }: WorkspaceFigures): Goal[] {
  const calls = Object.entries(tiers).flatMap(([tier, figures]) =>
    tier === 'S1' ? [] : callGoals(tier, who, figures),
  );
  return [...calls, goal(`applying 1,000 files / cp -a (${who})`, median(apply) / median(copy), 3, '×')];
}

function callGoals(tier: string, who: string, { empty, small, large }: TierFigures): Goal[] {
  const over = (times: readonly number[]) => median(times) / median(empty);
  return [
    goal(`exec, ${tier}, 10,000 files / empty project (${who})`, over(small), 1.1, '×'),
    ...(large ? [goal(`exec, ${tier}, 200,000 files / empty project (${who})`, over(large), 1.5, '×')] : []),
  ];
}

function goal(what: string, value: number, limit: number, unit: Goal['unit']): Goal {
  return { what, value, limit, unit };
}
