// How fast jobs go through the queue: beside two bare commits, beside BullMQ, with a long history, and into another process.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openQueue } from '../src/store/sqlite/queue.ts';
import type { Goal, SuiteOptions, SuiteResult } from './goal.ts';
import { openBullMq } from './jobs-bullmq.ts';
import { type Contender, JOB, ours, rawCommits } from './jobs-ours.ts';
import type { Measured } from './measure.ts';

const JOBS = 100;
const FINISHED = 100_000;
const STARTS = 200;

export async function bench({ root, folder, rounds }: SuiteOptions): Promise<SuiteResult> {
  const peer = await openBullMq(folder);
  const isThere = typeof peer !== 'string';
  const contenders = [
    rawCommits(below(folder, 'raw')),
    ours('skillwright, 1 at a time', below(folder, 'one'), 1),
    ours('skillwright, 10 at a time', below(folder, 'ten'), 10),
    ours(`skillwright, ${FINISHED} finished`, below(folder, 'full'), 1, FINISHED),
    ...(isThere ? [peer.contender(1), peer.contender(10)] : []),
  ];
  try {
    const measured = await interleave(contenders, rounds);
    const starts = await measureStarts(root, below(folder, 'start'));
    const rows = [...measured.values(), starts];
    return { measured: isThere ? rows : [...rows, notRun(peer)], goals: goalsOf(measured, starts) };
  } finally {
    for (const contender of contenders) await contender.close();
    if (isThere) await peer.close();
  }
}

/** Milliseconds for each job. */
async function interleave(contenders: readonly Contender[], rounds: number): Promise<Map<string, Measured>> {
  const times = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    for (const { name, fill, work } of contenders) {
      await fill(JOBS);
      const startedAt = performance.now();
      await work();
      if (round >= 0) times.get(name)?.push((performance.now() - startedAt) / JOBS);
    }
  }
  return new Map([...times].map(([name, list]) => [name, toMeasured(name, list)]));
}

/** From the call that enqueues it until another, waiting process has it. */
async function measureStarts(root: string, folder: string): Promise<Measured> {
  const queue = openQueue({ home: folder, project: folder });
  const child = fork(path.join(root, 'bench', 'jobs-worker.ts'), [folder]);
  await once(child, 'message');
  const delays: number[] = [];
  for (let at = 0; at < STARTS; at++) {
    await sleep(5 + Math.random() * 20);
    const reached = once(child, 'message');
    const sentAt = performance.timeOrigin + performance.now();
    await queue.enqueue(JOB);
    const [message] = await reached;
    delays.push((message as { at: number }).at - sentAt);
  }
  child.disconnect();
  await once(child, 'exit');
  queue.close();
  return toMeasured('enqueue to start, another process', delays);
}

function goalsOf(measured: ReadonlyMap<string, Measured>, starts: Measured): Goal[] {
  const time = (name: string) => measured.get(name)?.median ?? Number.NaN;
  const [one, ten] = [time('skillwright, 1 at a time'), time('skillwright, 10 at a time')];
  const against = (what: string, value: number, limit: number): Goal => ({ what, value, limit, unit: '×' });
  const raw = time('two raw commits');
  return [
    // 0.6 of the throughput is 1.67 times the time.
    against('job, 1 at a time / two raw commits', one / raw, 1.67),
    against('job, 10 at a time / two raw commits', ten / raw, 1.67),
    against(`job after ${FINISHED} finished / after none`, time(`skillwright, ${FINISHED} finished`) / one, 1.2),
    { what: 'enqueue to start, half of them', value: starts.median, limit: 15, unit: 'ms' },
  ];
}

function toMeasured(name: string, list: readonly number[]): Measured {
  const sorted = list.toSorted((a, b) => a - b);
  const peakMb = process.resourceUsage().maxRSS / 1024;
  return { name, median: sorted[sorted.length >> 1] ?? Number.NaN, min: sorted[0] ?? Number.NaN, peakMb };
}

function notRun(why: string): Measured {
  return { name: `BullMQ: not run, ${why}`, median: Number.NaN, min: Number.NaN };
}

function below(folder: string, name: string): string {
  const inner = path.join(folder, name);
  mkdirSync(inner, { recursive: true });
  return inner;
}
