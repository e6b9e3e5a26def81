// Handing out jobs: each goes to one worker at a time, under a fence nobody had before.
import type { Clock } from '../base/clock.ts';
import type { Database, Row } from './database.ts';
import { type ClaimedJob, type ClaimWish, REASONS } from './queue.ts';
import { QUEUE_SQL } from './queue-sql.ts';
import { toJob } from './sqlite-queue-job.ts';
import type { Ticks } from './ticks.ts';

/** No lease lasts this long; one that claims to was given before a restart of the machine. */
const NEVER_MS = 86_400_000;

export interface Times {
  readonly clock: Clock;
  readonly ticks: Ticks;
}

/** What there may be to do. */
export interface View {
  /** Another one as soon as more can be claimed. */
  readonly mark: string;
  readonly isPaused: boolean;
  readonly hasReady: boolean;
  /** Until the next job is due or the next lease runs out; not above zero: now. */
  readonly nextMs: number;
}

export interface Claimed {
  readonly jobs: readonly ClaimedJob[];
  /** When nothing was left for this worker: the mark of what it saw. */
  readonly mark?: string;
}

export function look(database: Database, { clock, ticks }: Times): View {
  const [row] = database.rows(QUEUE_SQL.look);
  const until = (time: unknown, now: number) => (typeof time === 'number' ? time - now : Number.POSITIVE_INFINITY);
  return {
    mark: `${row?.added} ${row?.changes}`,
    isPaused: row?.paused === 1,
    hasReady: row?.ready === 1,
    nextMs: Math.min(until(row?.later, clock.now()), until(row?.silent, ticks.now())),
  };
}

export function claim(database: Database, wish: ClaimWish, times: Times, isFirst: boolean): Claimed {
  const view = look(database, times);
  // Most questions find nothing to do, and then nobody has to wait for the right to write.
  if (view.isPaused || (!isFirst && !view.hasReady && view.nextMs > 0)) return { jobs: [], mark: view.mark };
  return database.transaction(() => {
    if (isFirst || view.nextMs <= 0) gather(database, times);
    const jobs = takeSome(database, wish, times);
    return jobs.length < wish.limit ? { jobs, mark: look(database, times).mark } : { jobs };
  });
}

/** What became due, and what silent workers held. */
function gather(database: Database, { clock, ticks }: Times): void {
  const now = clock.now();
  database.run(QUEUE_SQL.makeReady, now);
  database.runNamed(QUEUE_SQL.takeBack, {
    now,
    ticks: ticks.now(),
    never: ticks.now() + NEVER_MS,
    epoch: ticks.epoch,
    cancelled: REASONS.cancelled.en,
    silent: REASONS.silent.en,
  });
}

function takeSome(database: Database, wish: ClaimWish, times: Times): ClaimedJob[] {
  const able = {
    digests: wish.digests ? JSON.stringify(wish.digests) : null,
    labels: JSON.stringify(wish.labels ?? []),
  };
  const jobs: ClaimedJob[] = [];
  while (jobs.length < wish.limit) {
    const [row] = database.rowsNamed(QUEUE_SQL.nextJob, able);
    const [next] = row ? database.rows(QUEUE_SQL.nextFence) : [];
    if (!row || !next) break;
    jobs.push(take(database, row, Number(next.fence), wish, times));
  }
  return jobs;
}

function take(database: Database, row: Row, fence: number, wish: ClaimWish, { clock, ticks }: Times): ClaimedJob {
  const { tag, worker } = wish;
  const now = clock.now();
  const until = ticks.now() + Math.round(wish.leaseMs);
  database.runNamed(QUEUE_SQL.hold, { number: row.number ?? null, fence, until, epoch: ticks.epoch, tag, worker, now });
  const { reason: _, ...job } = toJob(row);
  return {
    ...job,
    state: 'running',
    attempt: job.attempt + 1,
    startedAt: now,
    worker,
    fence,
    ...(row.tag !== null && { former: String(row.tag) }),
  };
}
