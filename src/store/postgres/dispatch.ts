// Offers of ready jobs, carried by pg-boss: one message for each, gone when it is taken. What a job is, our own row says.
import type { Db, PgBoss } from 'pg-boss';
import { sha256 } from '../../base/ids.ts';
import type { ClaimWish } from '../queue.ts';
import type { PgDatabase, PgSession } from './database.ts';
import type { PgBell } from './notifier.ts';

/** What decides who can take it, known before our own row is read. */
export interface Need {
  readonly lane?: string;
  readonly digest?: string;
  readonly labels?: readonly string[];
}

export interface JobOffer extends Need {
  /** Of the message, and noted in the row of the job. */
  readonly id: string;
}

export interface NewOffer extends JobOffer {
  readonly priority: number;
  readonly delayMs?: number;
}

export interface Dispatch {
  /** Together with whatever else the transaction does; wakes whoever waits when it is committed. */
  send(inside: PgSession, offers: readonly NewOffer[]): Promise<void>;
  /** Highest priority and oldest first; those of needs in `without` are left. */
  fetch(inside: PgSession, limit: number, without: readonly string[]): Promise<JobOffer[]>;
  /** What was fetched is not offered again. */
  remove(inside: PgSession, offers: readonly JobOffer[]): Promise<void>;
  close(): Promise<void>;
}

const NAME = 'jobs';
const DAY_SECONDS = 86_400;
/** An offer is kept until it is taken, however far ahead it is due. */
const RETENTION_SECONDS = 3_650 * DAY_SECONDS;

/** `lock` is the statement that lets one process at a time bring tables up to date. */
export async function openDispatch(
  database: PgDatabase,
  { schema, lock }: { readonly schema: string; readonly lock: string },
  bell: PgBell,
): Promise<Dispatch> {
  const { PgBoss } = await import('pg-boss');
  const boss = new PgBoss({
    db: { executeSql: (text, values) => database.plain(text, values), listen: async (channel) => bell.tune(channel) },
    schema: `${schema}_boss`,
    useListenNotify: true,
    // Our scheduler plans on every engine, and an offer that was taken leaves nothing to tidy up.
    schedule: false,
    supervise: false,
  });
  // Whatever fails is thrown to whoever asked; what it does in the background is not worth ending the process.
  boss.on('error', () => {});
  await startBoss(boss, database, lock);
  return {
    async send(inside, offers) {
      if (offers.length > 0) await boss.insert(NAME, offers.map(toMessage), { db: toBoss(inside) });
    },
    async fetch(inside, limit, without) {
      const ignoreGroups = without.length > 0 ? [...without] : null;
      const messages = await boss.fetch<Need>(NAME, { batchSize: limit, ignoreGroups, db: toBoss(inside) });
      return messages.map(({ id, data }) => ({ ...data, id }));
    },
    async remove(inside, offers) {
      const ids = offers.map(({ id }) => id);
      if (ids.length > 0) await boss.deleteJob(NAME, ids, { db: toBoss(inside) });
    },
    close: () => boss.stop({ graceful: false, close: false }),
  };
}

/** Jobs with the same need can be left aside together. */
export function needGroup({ digest, labels = [] }: Need): string | undefined {
  if (digest === undefined && labels.length === 0) return undefined;
  return sha256(JSON.stringify([digest ?? null, labels.toSorted()])).slice(0, 24);
}

export function canServe({ digest, labels = [] }: Need, wish: ClaimWish): boolean {
  if (digest !== undefined && wish.digests && !wish.digests.includes(digest)) return false;
  return labels.every((label) => wish.labels?.includes(label));
}

/** Many may begin at once: one after the other. */
async function startBoss(boss: PgBoss, database: PgDatabase, lock: string): Promise<void> {
  try {
    await database.transaction(async (inside) => {
      await inside.rows(lock);
      await boss.start();
      await createQueue(boss);
    });
    // It looks a queue up once, over a connection of its own, which within a transaction might be one too many.
    await boss.fetch(NAME, { db: { executeSql: async () => ({ rows: [] }) } });
  } catch (error) {
    await boss.stop({ graceful: false, close: false }).catch(() => {});
    throw error;
  }
}

/** The same whoever comes first: leases, attempts and history are ours, so pg-boss tries nothing again by itself. */
async function createQueue(boss: PgBoss): Promise<void> {
  if (await boss.getQueue(NAME)) return;
  await boss.createQueue(NAME, {
    notify: true,
    retryLimit: 0,
    expireInSeconds: DAY_SECONDS - 1,
    retentionSeconds: RETENTION_SECONDS,
    deleteAfterSeconds: DAY_SECONDS,
  });
}

function toMessage({ id, lane, digest, labels, priority, delayMs = 0 }: NewOffer) {
  const need: Need = {
    ...(lane !== undefined && { lane }),
    ...(digest !== undefined && { digest }),
    ...(labels && { labels }),
  };
  const group = needGroup(need);
  return {
    id,
    data: need,
    priority,
    ...(delayMs > 0 && { startAfter: `${delayMs} ms` }),
    ...(group !== undefined && { group: { id: group } }),
  };
}

/** Its statements go the way of ours, within our transaction. */
function toBoss(inside: PgSession): Db {
  return { executeSql: async (text, values) => ({ rows: await inside.rows(text, values) }) };
}
