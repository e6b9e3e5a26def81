// The operations of a job's lease holder. Each one checks the fencing token in the transaction that applies it.
import { randomUUID } from 'node:crypto';
import { backoff } from '../backoff.ts';
import { type Failed, type Held, type Hold, type JobTry, REASONS } from '../queue.ts';
import { toJob } from '../read-row.ts';
import type { PgRow, PgTransaction } from './database.ts';
import { freeLanes, laneOf, offerOf, type QueueParts } from './queue-claim.ts';

interface End {
  readonly result: string;
  readonly reason: string;
  readonly run?: string;
}

export async function renew({ database, sql }: QueueParts, holds: readonly Hold[], leaseMs: number): Promise<Held[]> {
  const values = [holds.map(({ id }) => id), holds.map(({ fence }) => fence), Math.round(leaseMs)];
  const rows = await database.rows(sql.renew, values);
  const cancelling = new Map(rows.map((row) => [row.id, row.cancelling === true]));
  return holds.map(({ id }) => {
    const known = cancelling.get(id);
    return known === undefined ? 'lost' : known ? 'cancelled' : 'held';
  });
}

export async function report({ database, sql }: QueueParts, { id, fence }: Hold, progress: string): Promise<void> {
  await database.rows(sql.report, [id, fence, progress]);
}

export async function complete(parts: QueueParts, hold: Hold, end: Omit<End, 'reason'>): Promise<boolean> {
  const { database, sql } = parts;
  const values = [hold.id, hold.fence, end.result, end.run ?? null];
  // Usually no job waits for the lane: then one statement is enough.
  if (parts.lanes.get(hold.id) !== null) {
    return settle(parts, hold, async (inside) => (await inside.rows(sql.complete, values)).length > 0);
  }
  parts.lanes.delete(hold.id);
  return database.attempt(async (session, isAgain) => {
    if ((await session.rows(sql.complete, values)).length > 0) return true;
    return isAgain && (await session.rows(sql.isCompleted, values.slice(0, 3))).length > 0;
  });
}

export function fail(
  parts: QueueParts,
  hold: Hold,
  end: End & { readonly retryable: boolean },
  random: () => number,
): Promise<Failed> {
  return settle(parts, hold, async (inside) => {
    const row = await lockHeld(parts, inside, hold);
    if (!row) return { state: 'lost' };
    if (row.cancelling === true) {
      await letGo(parts, inside, hold, { ...end, ...CANCELLED });
      return { state: 'cancelled' };
    }
    const { attempt, retry, lost = 0 } = toJob(row);
    if (!end.retryable || attempt - lost > retry.limit) {
      await letGo(parts, inside, hold, { ...end, state: 'dead', how: 'failed' });
      return { state: 'dead' };
    }
    const delayMs = backoff(retry, attempt - lost, random);
    const left = await letGo(parts, inside, hold, { ...end, state: 'queued', how: 'failed', delayMs });
    return { state: 'queued', dueAt: Number(left?.due_at) };
  });
}

export function suspend(parts: QueueParts, hold: Hold, end: End): Promise<boolean> {
  return settle(parts, hold, async (inside) => {
    const row = await lockHeld(parts, inside, hold);
    if (!row) return false;
    if (row.cancelling === true) {
      await letGo(parts, inside, hold, { ...end, ...CANCELLED });
    } else await letGo(parts, inside, hold, { ...end, state: 'waiting', how: 'waiting' });
    return true;
  });
}

export function release(parts: QueueParts, hold: Hold): Promise<boolean> {
  const { sql, dispatch } = parts;
  return settle(parts, hold, async (inside) => {
    const row = await lockHeld(parts, inside, hold);
    if (!row) return false;
    if (row.cancelling === true) {
      await letGo(parts, inside, hold, CANCELLED);
      return true;
    }
    const rows = await inside.rows(sql.giveBack, [hold.id, hold.fence, randomUUID()]);
    await dispatch.send(inside, rows.flatMap(offerOf));
    return true;
  });
}

/** In a transaction; the next job of the lane is offered. */
export async function settle<T>(
  parts: QueueParts,
  { id }: Pick<Hold, 'id'>,
  work: (inside: PgTransaction) => Promise<T>,
): Promise<T> {
  const { database, sql } = parts;
  let lane = parts.lanes.get(id);
  if (lane === undefined) lane = laneOf((await database.rows(sql.laneOf, [id]))[0]);
  parts.lanes.delete(id);
  const lanes = lane === null ? [] : [lane];
  return database.transaction(async (inside) => {
    // Locks the lane first, always in this order, so that two transactions cannot deadlock on job and lane.
    if (lanes.length > 0) await inside.rows(sql.lockLanes, [lanes]);
    const value = await work(inside);
    await freeLanes(parts, inside, lanes);
    return value;
  });
}

async function lockHeld({ sql }: QueueParts, inside: PgTransaction, hold: Hold): Promise<PgRow | undefined> {
  const [row] = await inside.rows(sql.lockJob, [hold.id]);
  return row && Number(row.fence) === hold.fence && row.state === 'running' ? row : undefined;
}

const CANCELLED = { reason: REASONS.cancelled.en, state: 'cancelled', how: 'cancelled' } as const;

interface Left extends Partial<End> {
  readonly state: 'queued' | 'dead' | 'cancelled' | 'waiting';
  readonly how: JobTry['how'];
  readonly delayMs?: number;
}

async function letGo(
  { sql, dispatch }: QueueParts,
  inside: PgTransaction,
  { id, fence }: Hold,
  { state, how, delayMs = 0, result, reason, run }: Left,
): Promise<PgRow | undefined> {
  const offer = state === 'queued' ? randomUUID() : null;
  const values = [id, fence, state, offer, delayMs, result ?? null, reason ?? null, run ?? null, how];
  const rows = await inside.rows(sql.letGo, values);
  await dispatch.send(
    inside,
    rows.flatMap(offerOf).map((sent) => ({ ...sent, delayMs })),
  );
  return rows[0];
}
