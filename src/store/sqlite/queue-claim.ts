// Claims jobs: each is leased to one worker at a time, with a new fencing token.
import type { Clock } from '../../base/clock.ts';
import { type ClaimedJob, type ClaimWish, REASONS, SPARE_WORKERS } from '../queue.ts';
import { toJob } from '../read-row.ts';
import type { Ticks } from '../ticks.ts';
import type { Database, Row } from './database.ts';
import { QUEUE_SQL } from './queue-sql.ts';

/** No lease lasts this long; a longer one dates from before a restart of the machine. */
const NEVER_MS = 86_400_000;

export interface Times {
  readonly clock: Clock;
  readonly ticks: Ticks;
}

/** The work there may be. */
export interface QueueView {
  /** A change mark: differs as soon as more can be claimed. */
  readonly mark: string;
  readonly isPaused: boolean;
  readonly hasReady: boolean;
  /** Until the next job is due or the next lease expires; zero or less: now. */
  readonly nextMs: number;
}

export interface Claimed {
  readonly jobs: readonly ClaimedJob[];
  /** Set when nothing was left for this worker: the change mark it saw. */
  readonly mark?: string;
}

export function look(database: Database, { clock, ticks }: Times): QueueView {
  const [row] = database.rows(QUEUE_SQL.look);
  const until = (time: unknown, now: number) => (typeof time === 'number' ? time - now : Number.POSITIVE_INFINITY);
  return {
    mark: `${row?.added} ${row?.changes}`,
    isPaused: row?.paused === 1,
    hasReady: row?.ready === 1,
    nextMs: Math.min(until(row?.later, clock.now()), until(row?.silent, ticks.now())),
  };
}

export interface Before {
  /** The last claim left jobs behind, so the read-only check before the write lock is skipped. */
  readonly isLikely: boolean;
  /** First look of this process: the machine may have been restarted meanwhile. */
  readonly isFirst: boolean;
}

export function claim(database: Database, wish: ClaimWish, times: Times, { isLikely, isFirst }: Before): Claimed {
  const before = isLikely || isFirst ? undefined : look(database, times);
  // Most polls find nothing to do, and then no write lock is taken.
  if (before && !hasWork(before) && wish.only === undefined) return { jobs: [], mark: before.mark };
  return database.transaction(() => {
    const view = look(database, times);
    if (view.isPaused) return { jobs: [], mark: view.mark };
    if (isFirst || view.nextMs <= 0) gather(database, times);
    const jobs = takeSome(database, wish, times);
    return jobs.length < wish.limit ? { jobs, mark: look(database, times).mark } : { jobs };
  });
}

/** For workers without capacity for another job. */
export function takeBack(database: Database, times: Times): void {
  if (look(database, times).nextMs <= 0) database.transaction(() => gather(database, times));
}

function hasWork({ isPaused, hasReady, nextMs }: QueueView): boolean {
  return !isPaused && (hasReady || nextMs <= 0);
}

/** Jobs that became due, and jobs of expired leases. */
function gather(database: Database, { clock, ticks }: Times): void {
  const now = clock.now();
  database.run(QUEUE_SQL.makeReady, now);
  const silent = { now, ticks: ticks.now(), never: ticks.now() + NEVER_MS, epoch: ticks.epoch };
  database.runNamed(QUEUE_SQL.leaveBehind, silent);
  database.runNamed(QUEUE_SQL.takeBack, {
    ...silent,
    cancelled: REASONS.cancelled.en,
    silent: REASONS.silent.en,
    spare: SPARE_WORKERS,
  });
}

function takeSome(database: Database, wish: ClaimWish, times: Times): ClaimedJob[] {
  const able = {
    digests: wish.digests ? JSON.stringify(wish.digests) : null,
    labels: JSON.stringify(wish.labels ?? []),
  };
  const jobs: ClaimedJob[] = [];
  while (jobs.length < wish.limit) {
    const { only } = wish;
    const [row] =
      only === undefined
        ? database.rowsNamed(QUEUE_SQL.nextJob, able)
        : database.rowsNamed(QUEUE_SQL.thisJob, { ...able, only });
    if (!row) break;
    jobs.push(take(database, row, wish, times));
  }
  return jobs;
}

function take(database: Database, row: Row, wish: ClaimWish, { clock, ticks }: Times): ClaimedJob {
  const { tag, worker } = wish;
  const now = clock.now();
  const until = ticks.now() + Math.round(wish.leaseMs);
  database.runNamed(QUEUE_SQL.hold, { number: row.number ?? null, until, epoch: ticks.epoch, tag, worker, now });
  const { reason: _, progress: __, ...job } = toJob(row);
  return {
    ...job,
    state: 'running',
    attempt: job.attempt + 1,
    startedAt: now,
    worker,
    fence: Number(row.fence) + 1,
    ...(row.tag !== null && { former: String(row.tag) }),
  };
}
