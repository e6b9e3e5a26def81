// The operations of a job's lease holder. Each one checks the fencing token in the transaction that applies it.
import { backoff } from '../backoff.ts';
import { type Failed, type Held, type Hold, type JobTry, REASONS } from '../queue.ts';
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

export function report(database: Database, { id, fence }: Hold, progress: string): void {
  database.runNamed(QUEUE_SQL.report, { id, fence, progress });
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
    const { attempt, retry, lost = 0 } = toJob(row);
    if (row.cancelling === 1) {
      letGo(database, row, { ...end, ...CANCELLED, endedAt: now }, now);
      return { state: 'cancelled' };
    }
    if (!end.retryable || attempt - lost > retry.limit) {
      letGo(database, row, { ...end, state: 'dead', how: 'failed', endedAt: now }, now);
      return { state: 'dead' };
    }
    const dueAt = now + backoff(retry, attempt - lost, random);
    letGo(database, row, { ...end, state: 'queued', how: 'failed', line: dueAt > now ? LATER : READY, dueAt }, now);
    return { state: 'queued', dueAt };
  });
}

export function suspend(database: Database, hold: Hold, end: End, now: number): boolean {
  return database.transaction(() => {
    const row = heldRow(database, hold);
    if (!row) return false;
    if (row.cancelling === 1) letGo(database, row, { ...end, ...CANCELLED, endedAt: now }, now);
    else letGo(database, row, { ...end, state: 'waiting', how: 'waiting' }, now);
    return true;
  });
}

export function release(database: Database, hold: Hold, now: number): boolean {
  return database.transaction(() => {
    const row = heldRow(database, hold);
    if (!row) return false;
    if (row.cancelling === 1) letGo(database, row, { ...CANCELLED, endedAt: now }, now);
    else letGo(database, row, { state: 'queued', line: READY, attempt: Number(row.attempt) - 1 }, now);
    return true;
  });
}

function heldRow(database: Database, { id, fence }: Hold): Row | undefined {
  return database.rowsNamed(QUEUE_SQL.held, { id, fence })[0];
}

const CANCELLED = { reason: REASONS.cancelled.en, state: 'cancelled', how: 'cancelled' } as const;

interface Left extends Partial<End> {
  readonly state: 'queued' | 'dead' | 'cancelled' | 'waiting';
  /** Absent where no attempt ended: it was released. */
  readonly how?: JobTry['how'];
  readonly line?: number;
  readonly dueAt?: number;
  readonly attempt?: number;
  readonly endedAt?: number;
}

function letGo(database: Database, row: Row, left: Left, now: number): void {
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
    how: left.how ?? null,
    now,
  });
}
