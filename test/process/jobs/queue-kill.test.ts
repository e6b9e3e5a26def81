// Workers and the scheduler are killed again and again: nothing is lost, nothing is completed twice.
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Schedule } from '../../../src/jobs/schedule.ts';
import type { Job } from '../../../src/store/queue.ts';
import { openQueue } from '../../../src/store/sqlite/queue.ts';
import { checkState } from '../../../src/store/sqlite/store.ts';
import type { Order } from '../../support/child/queue-child.ts';
import { count, isLong, repository, temporaryFolder } from '../../support/support.ts';

const JOBS = count(500, 100);
const LEASE_MS = 1_000;
const KILLED_WORKERS = 3;

test('SIGKILL of workers and scheduler at any moment: no job lost, none completed twice, all taken over in time', async (t) => {
  const folder = temporaryFolder(t);
  const place = { home: folder, project: folder };
  const ledger = path.join(folder, 'ledger');
  const queue = openQueue(place);
  t.after(() => queue.close());
  const schedule = dense(JOBS);
  await queue.schedules.open({ id: schedule.id, written: schedule.written, digest: '', plannedTo: 0 });

  const killed = new Map<number, number>();
  const order: Order = { place, ledger, leaseMs: LEASE_MS };
  const posts = [{ ...order, schedule }, ...Array.from({ length: KILLED_WORKERS }, () => order)];
  const over = new AbortController();
  const shifts = posts.map((post) => killAgainAndAgain(t, post, killed, over.signal));
  // One is spared, so that there is always somebody to take over.
  await start(t, order);
  while ((await queue.stats()).counts.done < JOBS) await sleep(50);
  over.abort();
  await Promise.all(shifts);

  const jobs = await queue.history({ limit: 2 * JOBS });
  assert.deepEqual(
    jobs.map(({ occurrence }) => occurrence ?? 0).sort((a, b) => a - b),
    momentsOf(schedule),
  );
  assert.deepEqual(new Set(jobs.map(({ state }) => state)), new Set(['done']));
  const lines = readLedger(ledger);
  for (const job of jobs) checkLife(job, lines.get(job.id) ?? []);
  const delays = redeliveries(lines, killed);
  const kills = killed.size;
  // Only a machine that does nothing else keeps to a time.
  if (isLong()) assert.ok((delays.at(-1) ?? 0) <= LEASE_MS + 2_000, `taken over after ${delays.at(-1)} ms`);
  t.diagnostic(`${jobs.length} jobs, ${kills} kills, ${delays.length} taken over, the last after ${delays.at(-1)} ms`);
  assert.ok(kills >= 8, `${kills} kills`);
  assert.deepEqual(checkState(place), []);
});

/** Moments so dense that the scheduler always has something to plan, all of them from the start on. */
function dense(moments: number): Schedule {
  const begin = Date.now();
  return {
    id: 'role/dense',
    role: 'role',
    when: { kind: 'at', moments: Array.from({ length: moments }, (_, at) => begin + at * 12) },
    timezone: 'UTC',
    target: { prompt: 'count' },
    enabled: true,
    retry: { limit: 1_000, delayMs: 1, maxMs: 1 },
    overlap: 'parallel',
    misfire: { mode: 'all', limit: 10_000 },
    jitterMs: 0,
    follow: 'latest',
    written: 'v1',
  };
}

function momentsOf({ when }: Schedule): readonly number[] {
  return when.kind === 'at' ? when.moments : [];
}

async function killAgainAndAgain(t: TestContext, order: Order, killed: Map<number, number>, over: AbortSignal) {
  while (!over.aborted) {
    const child = await start(t, order);
    await sleep(Math.random() * 700, undefined, { signal: over }).catch(() => {});
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    killed.set(child.pid ?? 0, Date.now());
    await exited;
  }
}

async function start(t: TestContext, order: Order): Promise<ChildProcess> {
  const child = fork(path.join(repository, 'test/support/child/queue-child.ts'), [JSON.stringify(order)]);
  t.after(() => child.kill('SIGKILL'));
  await once(child, 'message');
  return child;
}

interface Line {
  readonly what: string;
  readonly fence: number;
  readonly pid: number;
  readonly time: number;
}

function readLedger(file: string): Map<string, Line[]> {
  const lines = new Map<string, Line[]>();
  for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) {
    const [what = '', id = '', fence, pid, time] = line.split(' ');
    const known = lines.get(id) ?? [];
    lines.set(id, [...known, { what, fence: Number(fence), pid: Number(pid), time: Number(time) }]);
  }
  return lines;
}

/** Begun at least once, acknowledged at most once, by the last who began it. */
function checkLife(job: Job, lines: readonly Line[]): void {
  const starts = lines.filter(({ what }) => what === 'start').map(({ fence }) => fence);
  const dones = lines.filter(({ what }) => what === 'done').map(({ fence }) => fence);
  const winner = (JSON.parse(job.result ?? '{}') as { fence: number }).fence;
  assert.ok(starts.includes(winner), `${job.id} was completed without being begun`);
  assert.equal(Math.max(...starts), winner, `${job.id} was begun again after it was completed`);
  assert.deepEqual(starts, [...new Set(starts)], `${job.id} was given twice under one fence`);
  assert.ok(dones.length <= 1 && dones.every((fence) => fence === winner), `${job.id} was completed twice: ${dones}`);
}

/** From the death of a worker until another one has its job. */
function redeliveries(lines: ReadonlyMap<string, readonly Line[]>, killed: ReadonlyMap<number, number>): number[] {
  return [...lines.values()]
    .flatMap((life) => {
      const starts = life.filter(({ what }) => what === 'start');
      return starts.slice(1).map(({ time }, at) => time - (killed.get(starts[at]?.pid ?? 0) ?? time));
    })
    .sort((a, b) => a - b);
}
