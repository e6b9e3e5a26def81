// Inserts a job into the table.
import { randomId } from '../../base/ids.ts';
import { type Enqueued, type NewJob, REASONS } from '../queue.ts';
import type { Database } from './database.ts';
import { QUEUE_SQL } from './queue-sql.ts';

/** The position class of a job in the queue. */
export const READY = 1;
export const LATER = 2;

/** One statement where no lookup is needed first; else to be called inside a transaction. */
export function addJob(database: Database, job: NewJob, now: number): Enqueued {
  if (job.key !== undefined) {
    const [known] = database.rows(QUEUE_SQL.jobOfKey, job.key);
    if (known) return { state: known.payload === job.payload ? 'known' : 'conflict', id: String(known.id) };
  }
  const id = newId(now);
  const isBusy = job.skipIfBusy && job.lane !== undefined && database.rows(QUEUE_SQL.busyLane, job.lane).length > 0;
  const state = isBusy ? 'skipped' : 'queued';
  const delayMs = Math.max(0, Math.round(job.delayMs ?? 0));
  database.runNamed(QUEUE_SQL.addJob, {
    ...plainValues(job),
    id,
    state,
    now,
    // Without a delay the due time is not compared with the clock: a clock set back must not delay the job.
    line: isBusy ? null : delayMs > 0 ? LATER : READY,
    dueAt: now + delayMs,
    endedAt: isBusy ? now : null,
    reason: isBusy ? REASONS.busy.en : null,
  });
  return { state, id };
}

export function needsTransaction(job: NewJob): boolean {
  return job.key !== undefined || job.skipIfBusy === true;
}

function plainValues(job: NewJob) {
  return {
    role: job.role,
    target: job.target,
    payload: job.payload,
    priority: Math.round(job.priority ?? 0),
    retryLimit: Math.round(job.retry.limit),
    retryDelay: Math.round(job.retry.delayMs),
    retryMax: Math.round(job.retry.maxMs),
    timeoutMs: Math.round(job.timeoutMs),
    key: job.key ?? null,
    lane: job.lane ?? null,
    schedule: job.schedule ?? null,
    occurrence: job.occurrence ?? null,
    digest: job.digest ?? null,
    labels: job.labels?.length ? JSON.stringify(job.labels) : null,
    traceparent: job.traceparent ?? null,
  };
}

/** Starts with the time, so that new rows are adjacent in the index. */
function newId(now: number): string {
  return idBefore(now) + randomId(4);
}

/** Greater than every id made before this time. */
export function idBefore(time: number): string {
  return Math.max(0, Math.floor(time)).toString(36).padStart(8, '0');
}
