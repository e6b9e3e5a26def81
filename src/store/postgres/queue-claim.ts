// Claims jobs: a message of pg-boss becomes a lease in our own row, with its fencing token, in the same transaction.
import { type ClaimedJob, type ClaimWish, REASONS, SPARE_WORKERS } from '../queue.ts';
import { readList, toJob } from '../read-row.ts';
import type { PgDatabase, PgRow, PgSession, PgTransaction } from './database.ts';
import { canServe, type Dispatch, type DispatchNeed, type JobOffer, type NewOffer, needGroup } from './dispatch.ts';
import type { PostgresSql } from './sql.ts';

export interface QueueParts {
  readonly database: PgDatabase;
  readonly sql: PostgresSql;
  readonly dispatch: Dispatch;
  /** What was offered to this process and could not run here: its group and what it needs. */
  readonly needs: Map<string, DispatchNeed>;
  /** The lanes of the jobs this process holds; null where there is none. */
  readonly lanes: Map<string, string | null>;
}

const TAKE_BACK_STEP = 100;

type Taken =
  | { readonly kind: 'taken'; readonly rows: readonly PgRow[]; readonly offered: number }
  /** Silent: expired leases must be taken over first. Strange: a job was offered that cannot run here. */
  | { readonly kind: 'silent' | 'strange' | 'nothing' };

export async function claim(parts: QueueParts, wish: ClaimWish): Promise<ClaimedJob[]> {
  const rows: PgRow[] = [];
  for (;;) {
    const wanted = wish.limit - rows.length;
    const taken = await parts.database.transaction((inside, isAgain) =>
      takeSome(parts, inside, wish, { wanted, isAgain }),
    );
    if (taken.kind === 'nothing') break;
    if (taken.kind === 'silent') await takeBack(parts);
    if (taken.kind !== 'taken') continue;
    rows.push(...taken.rows);
    if (taken.offered < wanted || rows.length === wish.limit) break;
  }
  for (const row of rows) parts.lanes.set(String(row.id), laneOf(row));
  return rows.toSorted(inOrder).map(toClaimed);
}

/** A job that cannot run here is not touched: the transaction that saw it is rolled back. */
async function takeSome(
  parts: QueueParts,
  inside: PgTransaction,
  wish: ClaimWish,
  { wanted, isAgain }: { readonly wanted: number; readonly isAgain: boolean },
): Promise<Taken> {
  const { sql, needs } = parts;
  const given = isAgain ? await inside.rows(sql.heldBy, [wish.worker, wish.tag]) : [];
  if (given.length > 0) return { kind: 'taken', rows: given, offered: 0 };
  const [[view], offers] = await Promise.all([inside.rows(sql.look), findOffers(parts, inside, wish, wanted)]);
  if (view?.paused === true) return await inside.undo({ kind: 'nothing' });
  if (view?.silent === true) return await inside.undo({ kind: 'silent' });
  const strange = offers.filter((offer) => !canServe(offer, wish));
  if (strange.length > 0) {
    for (const offer of strange) needs.set(needGroup(offer) ?? '', offer);
    return await inside.undo({ kind: wish.only === undefined ? 'strange' : 'nothing' });
  }
  if (offers.length === 0) return { kind: 'taken', rows: [], offered: 0 };
  const rows = await hold(parts, inside, offers, wish);
  return { kind: 'taken', rows, offered: wish.only === undefined ? offers.length : 0 };
}

async function findOffers(
  { sql, dispatch, needs }: QueueParts,
  inside: PgTransaction,
  wish: ClaimWish,
  wanted: number,
): Promise<JobOffer[]> {
  if (wish.only !== undefined) return (await inside.rows(sql.offerNow, [wish.only])).flatMap(offerOf);
  const without = [...needs].flatMap(([group, need]) => (canServe(need, wish) ? [] : [group]));
  return await dispatch.fetch(inside, wanted, without);
}

async function hold(
  { sql, dispatch }: Pick<QueueParts, 'sql' | 'dispatch'>,
  inside: PgTransaction,
  offers: readonly JobOffer[],
  { leaseMs, worker, tag }: ClaimWish,
): Promise<PgRow[]> {
  const ids = offers.map(({ id }) => id);
  const lanes = offers.flatMap(({ lane }) => (lane === undefined ? [] : [lane]));
  if (lanes.length > 0) await inside.rows(sql.lockLanes, [[...new Set(lanes)]]);
  const held = inside.rows(lanes.length > 0 ? sql.holdInLanes : sql.hold, [ids, Math.round(leaseMs), worker, tag]);
  if (lanes.length > 0) await Promise.all([held, inside.rows(sql.park, [ids])]);
  const [rows] = await Promise.all([held, dispatch.remove({ rows: inside.finish }, offers)]);
  return rows;
}

/** The jobs of expired leases. */
export async function takeBack({ database, sql, dispatch }: QueueParts): Promise<void> {
  await database.transaction(async (inside) => {
    const values = [REASONS.cancelled.en, REASONS.silent.en, TAKE_BACK_STEP, SPARE_WORKERS];
    const rows = await inside.rows(sql.takeBack, values);
    const lanes = rows.flatMap(({ lane }) => (typeof lane === 'string' ? [lane] : []));
    await dispatch.send(inside, rows.flatMap(offerOf));
    await freeLanes({ sql, dispatch }, inside, lanes);
  });
}

/** Offers the next job of each lane that became free. */
export async function freeLanes(
  { sql, dispatch }: Pick<QueueParts, 'sql' | 'dispatch'>,
  inside: PgSession,
  lanes: readonly string[],
): Promise<void> {
  if (lanes.length === 0) return;
  await inside.rows(sql.lockLanes, [[...new Set(lanes)]]);
  for (const lane of new Set(lanes)) {
    await dispatch.send(inside, (await inside.rows(sql.unpark, [lane])).flatMap(offerOf));
  }
}

/** Null for a job without a lane, and for one that is gone. */
export function laneOf(row: PgRow | undefined): string | null {
  return typeof row?.lane === 'string' ? row.lane : null;
}

/** The message that offers a row, where one must be sent. */
export function offerOf(row: PgRow): NewOffer[] {
  if (typeof row.offer !== 'string') return [];
  return [
    {
      id: row.offer,
      priority: Number(row.priority),
      ...(typeof row.lane === 'string' && { lane: row.lane }),
      ...(typeof row.digest === 'string' && { digest: row.digest }),
      ...(typeof row.labels === 'string' && { labels: readList(row.labels) ?? [] }),
    },
  ];
}

function inOrder(a: PgRow, b: PgRow): number {
  return (
    Number(b.priority) - Number(a.priority) ||
    Number(a.due_at) - Number(b.due_at) ||
    Number(a.number) - Number(b.number)
  );
}

function toClaimed(row: PgRow): ClaimedJob {
  return {
    ...toJob(row),
    fence: Number(row.fence),
    ...(typeof row.former === 'string' && { former: row.former }),
  };
}
