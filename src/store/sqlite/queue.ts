// The queue in SQLite: every operation is one durable transaction, leases use the machine's monotonic clock.
import { setImmediate } from 'node:timers/promises';
import { type Clock, systemClock } from '../../base/clock.ts';
import { type ProjectPlace, stateFile } from '../location.ts';
import { type Job, type JobFilter, type Queue, type QueueStats, REASONS, type WorkerSeen } from '../queue.ts';
import { addCount, noJobs, toJob, toNeed, toWorker } from '../read-row.ts';
import type { Awaitable } from '../store.ts';
import { machineTicks, type Ticks } from '../ticks.ts';
import { type Database, openDatabase } from './database.ts';
import { isLocked, retryWhileLocked } from './lock-retry.ts';
import { migrate } from './migrate.ts';
import { claim, look, type Times, takeBack } from './queue-claim.ts';
import { complete, fail, release, renew, report, suspend } from './queue-hold.ts';
import { addJob, idBefore, LATER, needsTransaction, READY } from './queue-job.ts';
import { QUEUE_SQL } from './queue-sql.ts';
import { type Look, openQueueWatcher } from './queue-wake.ts';
import { sqliteSchedules } from './schedule.ts';

export interface QueueOptions {
  readonly clock?: Clock;
  readonly ticks?: Ticks;
  /** Jitter for jobs that failed together. */
  readonly random?: () => number;
  /** How long a locked database is retried. */
  readonly patienceMs?: number;
}

/** The busy timeout of SQLite, which blocks; beyond it retries leave the event loop free. */
const BRISK = { busyMs: 100, giveUpMs: 0 };
const PATIENCE_MS = 20_000;
const HISTORY_LIMIT = 100;
const PRUNE_STEP = 1_000;
const WORKER_FORGOTTEN_MS = 86_400_000;

export function openQueue(place: ProjectPlace, options: QueueOptions = {}): Queue {
  const { clock = systemClock, ticks = machineTicks, random = Math.random, patienceMs = PATIENCE_MS } = options;
  const times: Times = { clock, ticks };
  const database = openMigrated(stateFile(place));
  const watcher = openQueueWatcher(`${database.file}-wal`);
  const attempt = <T>(work: () => T) => retryWhileLocked(work, patienceMs);
  const inOne = <T>(work: () => T) => attempt(() => database.transaction(work));
  /** The change mark of the last claim; absent when there may be more than it took. */
  let seenMark: string | undefined;
  let isFirst = true;
  return {
    enqueue: (job) => {
      const add = () => addJob(database, job, clock.now());
      return needsTransaction(job) ? inOne(add) : attempt(add);
    },
    claim: (wish) =>
      attempt(() => {
        const claimed = claim(database, wish, times, { isLikely: seenMark === undefined, isFirst });
        isFirst = false;
        // A claim of one named job has not seen the others.
        if (wish.only === undefined) seenMark = claimed.mark;
        return claimed.jobs;
      }),
    leftBehind: () =>
      attempt(() => {
        takeBack(database, times);
        return database.rows(QUEUE_SQL.leftBehind).map(({ tag }) => String(tag));
      }),
    cleaned: (tag) => attempt(() => database.run(QUEUE_SQL.cleaned, tag)),
    renew: (holds, leaseMs) => attempt(() => renew(database, holds, leaseMs, times)),
    report: (hold, progress) => attempt(() => report(database, hold, progress)),
    complete: (hold, end) => attempt(() => complete(database, hold, end, clock.now())),
    fail: (hold, end) => attempt(() => fail(database, hold, end, { now: clock.now(), random })),
    suspend: (hold, end) => attempt(() => suspend(database, hold, end, clock.now())),
    release: (hold) => attempt(() => release(database, hold, clock.now())),
    cancel: (id) => inOne(() => cancel(database, id, clock.now())),
    retry: (id, delayMs = 0) => inOne(() => again(database, id, { now: clock.now(), delayMs })),
    find: (id) => attempt(() => database.rows(QUEUE_SQL.jobOfId, id).map(toJob)[0]),
    history: (filter) => attempt(() => history(database, filter)),
    stats: () => attempt(() => stats(database, clock.now())),
    setPaused: (paused) => attempt(() => database.run(QUEUE_SQL.setPaused, paused ? 1 : 0)),
    needs: () => attempt(() => database.rows(QUEUE_SQL.needs).map(toNeed)),
    prune: (olderThanMs) => prune(database, clock.now() - olderThanMs, attempt),
    waitForWork: (ms, signal) => watcher.wait(ms, signal, () => lookAgain(database, times, seenMark)),
    seen: (worker) => inOne(() => noteWorker(database, worker, clock.now())),
    leave: (worker) => attempt(() => database.run(QUEUE_SQL.leave, worker)),
    workers: () => attempt(() => database.rows(QUEUE_SQL.workers).map(toWorker)),
    schedules: sqliteSchedules(database, clock, attempt),
    close() {
      watcher.close();
      database.close();
    },
  };
}

/** Migrated over a second connection that waits for the lock; the first one stays open, so there is no checkpoint. */
function openMigrated(file: string): Database {
  const database = openDatabase(file, BRISK);
  try {
    const patient = openDatabase(file);
    try {
      migrate(patient);
    } finally {
      patient.close();
    }
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** A poll that fails because the database is locked says nothing about work. */
function lookAgain(database: Database, times: Times, seenMark: string | undefined): Look {
  try {
    const { mark, isPaused, nextMs } = look(database, times);
    if (isPaused) return { isTime: false, nextMs: Number.POSITIVE_INFINITY };
    return { isTime: mark !== seenMark || nextMs <= 0, nextMs };
  } catch (error) {
    if (!isLocked(error)) throw error;
    return { isTime: false, nextMs: BRISK.busyMs };
  }
}

function cancel(database: Database, id: string, now: number): 'cancelled' | 'cancelling' | 'ended' | 'unknown' {
  const [row] = database.rows(QUEUE_SQL.jobOfId, id);
  if (!row) return 'unknown';
  if (row.ended_at !== null) return 'ended';
  const number = row.number ?? null;
  if (row.state === 'running') {
    database.run(QUEUE_SQL.askToCancel, number);
    return 'cancelling';
  }
  database.runNamed(QUEUE_SQL.cancel, { number, now, reason: REASONS.cancelled.en });
  return 'cancelled';
}

function again(
  database: Database,
  id: string,
  { now, delayMs }: { readonly now: number; readonly delayMs: number },
): 'queued' | 'active' | 'done' | 'unknown' {
  const [row] = database.rows(QUEUE_SQL.jobOfId, id);
  if (!row) return 'unknown';
  if (row.state === 'done') return 'done';
  if (row.state === 'queued' || row.state === 'running') return 'active';
  const line = delayMs > 0 ? LATER : READY;
  database.runNamed(QUEUE_SQL.again, { number: row.number ?? null, line, dueAt: now + delayMs });
  return 'queued';
}

function history(database: Database, { role, schedule, states, before, limit = HISTORY_LIMIT }: JobFilter): Job[] {
  const values = {
    role: role ?? null,
    states: states ? JSON.stringify(states) : null,
    before: before ?? null,
    limit,
  };
  const rows =
    schedule === undefined
      ? database.rowsNamed(QUEUE_SQL.history, values)
      : database.rowsNamed(QUEUE_SQL.historyOfSchedule, { ...values, schedule });
  return rows.map(toJob);
}

function stats(database: Database, now: number): QueueStats {
  const counts = noJobs();
  // Done jobs have no index of their own: their number is the total minus the others.
  for (const { state, value } of database.rows(QUEUE_SQL.counts)) {
    if (state !== 'all') addCount(counts, state, Number(value));
    counts.done += state === 'all' ? Number(value) : -Number(value);
  }
  const [oldest] = database.rows(QUEUE_SQL.oldestDue);
  const [queue] = database.rows(QUEUE_SQL.paused);
  const oldestDueMs = typeof oldest?.value === 'number' ? Math.max(0, now - oldest.value) : 0;
  return { counts, oldestDueMs, paused: queue?.paused === 1 };
}

/** In batches, so that no other process waits long for the lock. */
async function prune(database: Database, before: number, attempt: <T>(work: () => T) => Awaitable<T>): Promise<number> {
  const values = { before, oldest: idBefore(before), limit: PRUNE_STEP };
  await attempt(() => database.run(QUEUE_SQL.forgetLeft, before));
  for (let pruned = 0; ; ) {
    const gone = await attempt(() => database.rowsNamed(QUEUE_SQL.prune, values).length);
    pruned += gone;
    if (gone < PRUNE_STEP) return pruned;
    await setImmediate();
  }
}

function noteWorker(database: Database, worker: Omit<WorkerSeen, 'seenAt'>, now: number): void {
  const { id, host, pid, capacity, running, startedAt } = worker;
  const labels = JSON.stringify(worker.labels);
  const digests = worker.digests ? JSON.stringify(worker.digests) : null;
  database.runNamed(QUEUE_SQL.seen, { id, host, pid, labels, capacity, running, startedAt, now, digests });
  database.run(QUEUE_SQL.forgetWorkers, now - WORKER_FORGOTTEN_MS);
}
