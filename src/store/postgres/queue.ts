// The queue on PostgreSQL: our rows hold jobs and leases, pg-boss carries messages that offer the ready ones.
import { randomUUID } from 'node:crypto';
import type { WorkerSeen } from '../queue.ts';
import { type ClaimWish, type Job, type JobFilter, type Queue, type QueueStats, REASONS } from '../queue.ts';
import { addCount, noJobs, toJob, toNeed, toWorker } from '../read-row.ts';
import type { DatabaseOptions, PgDatabase, PgRow } from './database.ts';
import { openDispatch } from './dispatch.ts';
import { openPgNotifier, type PgNotifier } from './notifier.ts';
import { openPostgresStore, type PostgresPlace } from './open.ts';
import { claim, offerOf, type QueueParts, takeBack } from './queue-claim.ts';
import { complete, fail, release, renew, report, settle, suspend } from './queue-hold.ts';
import { addJob, draftJob } from './queue-job.ts';
import { postgresSchedules } from './schedule.ts';
import type { PostgresSql } from './sql.ts';

export interface PgQueueOptions extends DatabaseOptions {
  /** Jitter for jobs that failed together. */
  readonly random?: () => number;
}

const HISTORY_LIMIT = 100;
const PRUNE_STEP = 1_000;
const WORKER_FORGOTTEN_MS = 86_400_000;

export async function openPgBossQueue(place: PostgresPlace, options: PgQueueOptions = {}): Promise<Queue> {
  const { random = Math.random } = options;
  const { database, sql } = await openPostgresStore(place, options);
  const notifier = openPgNotifier(database);
  /** Read-only callers do not load pg-boss. */
  let opening: Promise<QueueParts> | undefined;
  const parts = () => {
    opening ??= openParts(database, sql, place.schema, notifier).catch((error) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  let lastWish: Pick<ClaimWish, 'labels' | 'digests'> = {};
  let isClosed = false;
  return {
    async enqueue(job) {
      const [ready, draft] = [await parts(), draftJob(job)];
      return database.transaction((inside) => addJob(ready, inside, draft, true));
    },
    async claim(wish) {
      if (wish.only === undefined) lastWish = wish;
      return claim(await parts(), wish);
    },
    async leftBehind() {
      const [view] = await database.rows(sql.look);
      if (view?.silent === true) await takeBack(await parts());
      return (await database.rows(sql.leftBehind)).map(({ tag }) => String(tag));
    },
    async cleaned(tag) {
      await database.rows(sql.cleaned, [tag]);
    },
    renew: async (holds, leaseMs) => renew(await parts(), holds, leaseMs),
    report: async (hold, progress) => report(await parts(), hold, progress),
    complete: async (hold, end) => complete(await parts(), hold, end),
    fail: async (hold, end) => fail(await parts(), hold, end, random),
    suspend: async (hold, end) => suspend(await parts(), hold, end),
    release: async (hold) => release(await parts(), hold),
    cancel: async (id) => cancel(await parts(), id),
    retry: async (id, delayMs = 0) => again(await parts(), id, delayMs),
    find: async (id) => (await database.rows(sql.jobOfId, [id])).map(toJob)[0],
    history: (filter) => history(database, sql, filter),
    stats: () => stats(database, sql),
    async setPaused(paused) {
      await parts();
      await database.rows(sql.setPaused, [paused]);
      await database.rows(sql.notify, [notifier.channel() ?? 'jobs', 'jobs']);
    },
    needs: async () => (await database.rows(sql.needs)).map(toNeed),
    prune: (olderThanMs) => prune(database, sql, olderThanMs),
    async waitForWork(ms, signal) {
      await parts();
      await waitForWork({ database, sql, notifier, isClosed: () => isClosed }, lastWish, ms, signal);
    },
    seen: (worker) => noteWorker(database, sql, worker),
    leave: async (worker) => void (await database.rows(sql.leave, [worker])),
    workers: async () => (await database.rows(sql.workers)).map(toWorker),
    schedules: postgresSchedules(database, sql, parts),
    async close() {
      isClosed = true;
      notifier.close();
      await (await opening?.catch(() => undefined))?.dispatch.close();
      await database.close();
    },
  };
}

async function openParts(
  database: PgDatabase,
  sql: PostgresSql,
  schema: string,
  notifier: PgNotifier,
): Promise<QueueParts> {
  const dispatch = await openDispatch(database, { schema, lock: sql.migrationLock }, notifier);
  return { database, sql, dispatch, needs: new Map(), lanes: new Map() };
}

interface Waiting {
  readonly database: PgDatabase;
  readonly sql: PostgresSql;
  readonly notifier: PgNotifier;
  isClosed(): boolean;
}

/** Polls on each notification, when the next job is due or a lease expires, and at a slow interval. */
async function waitForWork(
  { database, sql, notifier, isClosed }: Waiting,
  { labels = [], digests }: Pick<ClaimWish, 'labels' | 'digests'>,
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  const deadline = performance.now() + ms;
  while (!signal.aborted && !isClosed()) {
    const notified = notifier.count();
    const [view] = await database.rows(sql.isReady, [JSON.stringify(labels), digests ?? null]);
    const nextMs = view?.paused === true ? Number.POSITIVE_INFINITY : untilNext(view);
    if (view?.paused === false && (view.ready === true || nextMs <= 0)) return;
    const left = deadline - performance.now();
    if (left <= 0) return;
    await notifier.wait(Math.min(left, nextMs), signal, notified);
  }
}

function untilNext(view: PgRow | undefined): number {
  const times = [view?.later, view?.silent].flatMap((time) =>
    time === null || time === undefined ? [] : [Number(time)],
  );
  return Math.min(...times) - Number(view?.now);
}

function cancel(parts: QueueParts, id: string): Promise<'cancelled' | 'cancelling' | 'ended' | 'unknown'> {
  const { sql } = parts;
  return settle(parts, { id }, async (inside) => {
    const [row] = await inside.rows(sql.lockJob, [id]);
    if (!row) return 'unknown';
    if (row.ended_at !== null) return 'ended';
    const isRunning = row.state === 'running';
    await (isRunning ? inside.rows(sql.askToCancel, [id]) : inside.rows(sql.cancel, [id, REASONS.cancelled.en]));
    return isRunning ? 'cancelling' : 'cancelled';
  });
}

function again(parts: QueueParts, id: string, delayMs: number): Promise<'queued' | 'active' | 'done' | 'unknown'> {
  const { sql, dispatch } = parts;
  return settle(parts, { id }, async (inside) => {
    const [row] = await inside.rows(sql.lockJob, [id]);
    if (!row) return 'unknown';
    if (row.state === 'done') return 'done';
    if (row.state === 'queued' || row.state === 'running') return 'active';
    const rows = await inside.rows(sql.again, [id, randomUUID(), delayMs]);
    const offers = rows.flatMap(offerOf).map((sent) => ({ ...sent, delayMs }));
    await dispatch.send(inside, offers);
    return 'queued';
  });
}

async function history(database: PgDatabase, sql: PostgresSql, filter: JobFilter): Promise<Job[]> {
  const { role, schedule, states, before, limit = HISTORY_LIMIT } = filter;
  const values = [role ?? null, states ?? null, before ?? null, limit];
  const rows =
    schedule === undefined
      ? await database.rows(sql.history, values)
      : await database.rows(sql.historyOfSchedule, [...values, schedule]);
  return rows.map(toJob);
}

async function stats(database: PgDatabase, sql: PostgresSql): Promise<QueueStats> {
  const counts = noJobs();
  for (const row of await database.rows(sql.counts)) addCount(counts, row.state, Number(row.value));
  const [oldest] = await database.rows(sql.oldestDue);
  const [queue] = await database.rows(sql.paused);
  return { counts, oldestDueMs: Math.max(0, Number(oldest?.value ?? 0)), paused: queue?.paused === true };
}

/** In batches, so that no query waits long for the locks. */
async function prune(database: PgDatabase, sql: PostgresSql, olderThanMs: number): Promise<number> {
  await database.rows(sql.forgetLeft, [Math.round(olderThanMs)]);
  for (let pruned = 0; ; ) {
    const gone = (await database.rows(sql.prune, [Math.round(olderThanMs), PRUNE_STEP])).length;
    pruned += gone;
    if (gone < PRUNE_STEP) return pruned;
  }
}

async function noteWorker(database: PgDatabase, sql: PostgresSql, worker: Omit<WorkerSeen, 'seenAt'>): Promise<void> {
  const { id, host, pid, capacity, running, startedAt, digests } = worker;
  const [labels, files] = [JSON.stringify(worker.labels), digests ? JSON.stringify(digests) : null];
  await database.rows(sql.seen, [id, host, pid, labels, capacity, running, startedAt, files]);
  await database.rows(sql.forgetWorkers, [WORKER_FORGOTTEN_MS]);
}
