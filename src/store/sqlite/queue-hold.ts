// The operations of a job's lease holder. Each one checks the fencing token in the transaction that applies it.
import { backoff } from '../backoff.ts';
import { type Failed, type Held, type Hold, REASONS } from '../queue.ts';
import { toJob } from '../read-row.ts';
import type { Database, Row } from './database.ts';
import type { Times } from './queue-claim.ts';
import { LATER, READY } from './queue-job.ts';
import { QUEUE_SQL } from './queue-sql.ts';

interface End {
  readonly result: string;
  readonly reason: string;
  readonly run?: string;
}

export function renew(database: Database, holds: readonly Hold[], leaseMs: number, { ticks }: Times): Held[] {
  const until = ticks.now() + Math.round(leaseMs);
  return database.transaction(() =>
    holds.map(({ id, fence }) => {
      const [row] = database.rowsNamed(QUEUE_SQL.renew, { id, fence, until, epoch: ticks.epoch });
      if (!row) return 'lost';
      return row.cancelling === 1 ? 'cancelled' : 'held';
    }),
  );
}

export function complete(database: Database, { id, fence }: Hold, end: Omit<End, 'reason'>, now: number): boolean {
  const values = { id, fence, result: end.result, run: end.run ?? null, now };
  return database.rowsNamed(QUEUE_SQL.complete, values).length > 0;
}

export function fail(
  database: Database,
  hold: Hold,
  end: End & { readonly retryable: boolean },
  { now, random }: { readonly now: number; readonly random: () => number },
): Failed {
  return database.transaction(() => {
    const row = heldRow(database, hold);
    if (!row) return { state: 'lost' };
    const { attempt, retry } = toJob(row);
    if (row.cancelling === 1) {
      letGo(database, row, { ...end, reason: REASONS.cancelled.en, state: 'cancelled', endedAt: now });
      return { state: 'cancelled' };
    }
    if (!end.retryable || attempt > retry.limit) {
      letGo(database, row, { ...end, state: 'dead', endedAt: now });
      return { state: 'dead' };
    }
    const dueAt = now + backoff(retry, attempt, random);
    letGo(database, row, { ...end, state: 'queued', line: dueAt > now ? LATER : READY, dueAt });
    return { state: 'queued', dueAt };
  });
}

export function suspend(database: Database, hold: Hold, end: End, now: number): boolean {
  return database.transaction(() => {
    const row = heldRow(database, hold);
    if (!row) return false;
    if (row.cancelling === 1)
      letGo(database, row, { ...end, reason: REASONS.cancelled.en, state: 'cancelled', endedAt: now });
    else letGo(database, row, { ...end, state: 'waiting' });
    return true;
  });
}

export function release(database: Database, hold: Hold, now: number): boolean {
  return database.transaction(() => {
    const row = heldRow(database, hold);
    if (!row) return false;
    if (row.cancelling === 1) letGo(database, row, { reason: REASONS.cancelled.en, state: 'cancelled', endedAt: now });
    else letGo(database, row, { state: 'queued', line: READY, attempt: Number(row.attempt) - 1 });
    return true;
  });
}

function heldRow(database: Database, { id, fence }: Hold): Row | undefined {
  return database.rowsNamed(QUEUE_SQL.held, { id, fence })[0];
}

interface Left extends Partial<End> {
  readonly state: 'queued' | 'dead' | 'cancelled' | 'waiting';
  readonly line?: number;
  readonly dueAt?: number;
  readonly attempt?: number;
  readonly endedAt?: number;
}

function letGo(database: Database, row: Row, left: Left): void {
  database.runNamed(QUEUE_SQL.letGo, {
    number: row.number ?? null,
    state: left.state,
    line: left.line ?? null,
    dueAt: left.dueAt ?? row.due_at ?? null,
    attempt: left.attempt ?? row.attempt ?? null,
    endedAt: left.endedAt ?? null,
    result: left.result ?? null,
    reason: left.reason ?? null,
    run: left.run ?? null,
  });
}
