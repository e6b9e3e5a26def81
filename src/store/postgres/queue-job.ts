// Inserts a job together with the message that offers it.
import { randomUUID } from 'node:crypto';
import { randomId, sha256 } from '../../base/ids.ts';
import { type Enqueued, type NewJob, REASONS } from '../queue.ts';
import type { PgTransaction } from './database.ts';
import type { QueueParts } from './queue-claim.ts';

/** Decided before the transaction, so that a retry inserts it once. */
export interface Draft {
  readonly job: NewJob;
  readonly id: string;
  readonly offer: string;
}

export function draftJob(job: NewJob): Draft {
  // Starts with the time, so that new rows are adjacent in the index.
  return { job, id: Date.now().toString(36).padStart(8, '0') + randomId(4), offer: randomUUID() };
}

/** Commits where `isLast` says so: then everything is sent to the server at once. */
export async function addJob(
  { sql, dispatch }: QueueParts,
  inside: PgTransaction,
  draft: Draft,
  isLast = false,
): Promise<Enqueued> {
  const { job, id, offer } = draft;
  const isBusy = await isLaneBusy({ sql }, inside, job);
  const state = isBusy ? 'skipped' : 'queued';
  const added = inside.rows(sql.addJob, plainValues(draft, state));
  const send = (session: Pick<PgTransaction, 'rows'>) => dispatch.send(session, [{ ...offerFor(job), id: offer }]);
  if (job.key === undefined) {
    const sent = isBusy ? undefined : send(isLast ? { rows: inside.finish } : inside);
    await Promise.all([added, sent]);
    return { state, id };
  }
  if ((await added).length > 0) {
    if (!isBusy) await send(inside);
    return { state, id };
  }
  const [known] = await inside.rows(sql.jobOfKey, [sha256(job.key)]);
  if (known?.id === id) return { state, id };
  return { state: known?.payload === job.payload ? 'known' : 'conflict', id: String(known?.id) };
}

async function isLaneBusy(
  { sql }: Pick<QueueParts, 'sql'>,
  inside: PgTransaction,
  { lane, skipIfBusy }: NewJob,
): Promise<boolean> {
  if (!skipIfBusy || lane === undefined) return false;
  await inside.rows(sql.lockLanes, [[lane]]);
  return (await inside.rows(sql.busyLane, [lane])).length > 0;
}

function offerFor({ priority = 0, delayMs = 0, lane, digest, labels }: NewJob) {
  return {
    priority: Math.round(priority),
    delayMs: Math.max(0, Math.round(delayMs)),
    ...(lane !== undefined && { lane }),
    ...(digest !== undefined && { digest }),
    ...(labels?.length && { labels }),
  };
}

function plainValues({ job, id, offer }: Draft, state: 'queued' | 'skipped'): unknown[] {
  const isQueued = state === 'queued';
  return [
    id,
    state,
    isQueued ? offer : null,
    Math.round(job.priority ?? 0),
    Math.max(0, Math.round(job.delayMs ?? 0)),
    Math.round(job.retry.limit),
    Math.round(job.retry.delayMs),
    Math.round(job.retry.maxMs),
    Math.round(job.timeoutMs),
    job.key ?? null,
    job.key === undefined ? null : sha256(job.key),
    job.lane ?? null,
    job.schedule ?? null,
    job.occurrence ?? null,
    job.digest ?? null,
    job.labels?.length ? JSON.stringify(job.labels) : null,
    job.role,
    job.target,
    isQueued ? null : REASONS.busy.en,
    job.payload,
    job.traceparent ?? null,
  ];
}
