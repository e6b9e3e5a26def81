// How fast jobs go through the queue on PostgreSQL: beside pg-boss alone, into another process, and with twice the workers.
import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openPgBossQueue } from '../src/store/postgres/queue.ts';
import { newSchema, startPostgres } from '../test/support/server/postgres-server.ts';
import { type Goal, ratio, type SuiteOptions, type SuiteResult } from './goal.ts';
import { type Contender, JOB } from './jobs-ours.ts';
import type { Measured } from './measure.ts';
import type { JobsFigures, JobsOrder } from './postgres-jobs.ts';
import { oursOnPostgres, plainPgBoss } from './postgres-queues.ts';

const JOBS = 100;
const STARTS = 100;
const HANDLED = 200;
const HANDLER_MS = 50;
const CAPACITY = 4;
/** 1,000 jobs of a real skill, batch by batch beside as many calls. */
const SKILL_BATCHES = 20;
const SKILL_JOBS = 50;

export async function bench({ root, rounds }: SuiteOptions): Promise<SuiteResult> {
  const server = await startPostgres();
  try {
    const [phases, starts] = [await compare(server.url, rounds), await measureStarts(root, server.url)];
    const [one, two] = [await measureWorkers(root, server.url, 1), await measureWorkers(root, server.url, 2)];
    const skill = await measureSkill(root, server.url);
    return {
      measured: [...phases.values(), starts, one, two, ...skill.measured],
      goals: [...goalsOf(phases, starts, one, two), ...skill.goals],
    };
  } finally {
    await server.stop();
  }
}

/** Milliseconds for each job: to enqueue it, and to work it off. */
async function compare(url: string, rounds: number): Promise<Map<string, Measured>> {
  const contenders: Contender[] = [];
  for (const limit of [1, 10]) {
    contenders.push(await plainPgBoss(`pg-boss, ${limit} at a time`, url, newSchema(), { limit }));
    contenders.push(await oursOnPostgres(`skillwright, ${limit} at a time`, url, newSchema(), limit));
  }
  const together = { limit: 10, together: true };
  contenders.push(await plainPgBoss('pg-boss, 10 at a time, completed together', url, newSchema(), together));
  try {
    return await interleave(contenders, rounds);
  } finally {
    for (const contender of contenders) await contender.close();
  }
}

async function interleave(contenders: readonly Contender[], rounds: number): Promise<Map<string, Measured>> {
  const times = new Map<string, number[]>();
  const note = (name: string, startedAt: number) => {
    times.set(name, [...(times.get(name) ?? []), (performance.now() - startedAt) / JOBS]);
  };
  for (let round = -1; round < rounds; round++) {
    for (const { name, fill, work } of contenders) {
      const filled = performance.now();
      await fill(JOBS);
      const worked = performance.now();
      if (round >= 0) note(`${name}: enqueue`, filled);
      await work();
      if (round < 0) continue;
      note(`${name}: work off`, worked);
      note(`${name}: whole life`, filled);
    }
  }
  return new Map([...times].map(([name, list]) => [name, toMeasured(name, list)]));
}

/** From the call that enqueues it until another, waiting process has it. */
async function measureStarts(root: string, url: string): Promise<Measured> {
  const schema = newSchema();
  const queue = await openPgBossQueue({ url, schema });
  const child = await startWorker(root, { url, schema, handlerMs: 0 });
  await Promise.all([once(child, 'message'), queue.enqueue(JOB)]);
  await sleep(500);
  const delays: number[] = [];
  for (let at = 0; at < STARTS; at++) {
    await sleep(5 + Math.random() * 20);
    const reached = once(child, 'message');
    const sentAt = performance.timeOrigin + performance.now();
    await queue.enqueue(JOB);
    const [message] = await reached;
    delays.push((message as { at: number }).at - sentAt);
  }
  await endWorker(child);
  await queue.close();
  return toMeasured('enqueue to start, another process', delays);
}

/** Milliseconds for each job when that many processes handle them, each several at once. */
async function measureWorkers(root: string, url: string, workers: number): Promise<Measured> {
  const schema = newSchema();
  const queue = await openPgBossQueue({ url, schema });
  await queue.setPaused(true);
  for (let at = 0; at < HANDLED; at += 10) await Promise.all(Array.from({ length: 10 }, () => queue.enqueue(JOB)));
  const children: ChildProcess[] = [];
  for (let at = 0; at < workers; at++) children.push(await startWorker(root, { url, schema, handlerMs: HANDLER_MS }));
  await sleep(500);
  const startedAt = performance.now();
  await queue.setPaused(false);
  while ((await queue.stats()).counts.done < HANDLED) await sleep(20);
  const tookMs = performance.now() - startedAt;
  for (const child of children) await endWorker(child);
  await queue.close();
  return toMeasured(`${HANDLER_MS} ms handlers, ${workers} worker processes`, [tookMs / HANDLED]);
}

/** A no-op skill in Python through one worker, and by `call` in the same process. */
async function measureSkill(root: string, url: string): Promise<Pick<SuiteResult, 'measured' | 'goals'>> {
  const order: JobsOrder = { url, batches: SKILL_BATCHES, size: SKILL_JOBS };
  const program = path.join(root, 'bench', 'postgres-jobs.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [program, JSON.stringify(order)]);
  const { jobs, calls, connections } = JSON.parse(stdout) as JobsFigures;
  const [job, call] = [toMeasured('no-op skill, by one worker', jobs), toMeasured('no-op skill, by call', calls)];
  return {
    measured: [job, call],
    goals: [
      ratio('a job of a no-op skill / the same by call in process', job, call, 1.15),
      { what: 'connections opened while 1,000 jobs run', value: connections, limit: 10, unit: '' },
    ],
  };
}

async function startWorker(
  root: string,
  order: { url: string; schema: string; handlerMs: number },
): Promise<ChildProcess> {
  const child = fork(path.join(root, 'bench', 'postgres-worker.ts'), [
    JSON.stringify({ ...order, capacity: CAPACITY }),
  ]);
  await once(child, 'message');
  return child;
}

async function endWorker(child: ChildProcess): Promise<void> {
  child.disconnect();
  if (child.exitCode === null) await once(child, 'exit');
}

function goalsOf(phases: ReadonlyMap<string, Measured>, starts: Measured, one: Measured, two: Measured): Goal[] {
  const time = (name: string) => phases.get(name)?.median ?? Number.NaN;
  const against = (limit: number, phase: string): Goal => ({
    what: `${phase}, ${limit} at a time / pg-boss alone`,
    value: time(`skillwright, ${limit} at a time: ${phase}`) / time(`pg-boss, ${limit} at a time: ${phase}`),
    // 0.9 of the throughput is 1.11 times the time.
    limit: 1.11,
    unit: '×',
  });
  return [
    ...[1, 10].flatMap((limit) => [against(limit, 'whole life'), against(limit, 'work off')]),
    { what: 'enqueue to start, half of them', value: starts.median, limit: 60, unit: 'ms' },
    // 1.9 times the throughput is 0.526 of the time.
    { what: '2 worker processes / 1, time for each job', value: two.median / one.median, limit: 0.526, unit: '×' },
  ];
}

function toMeasured(name: string, list: readonly number[]): Measured {
  const sorted = list.toSorted((a, b) => a - b);
  const peakMb = process.resourceUsage().maxRSS / 1024;
  return { name, median: sorted[sorted.length >> 1] ?? Number.NaN, min: sorted[0] ?? Number.NaN, peakMb };
}
