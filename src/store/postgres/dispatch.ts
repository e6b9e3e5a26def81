// Messages of pg-boss that offer ready jobs: one per job, deleted when it is claimed. The job itself is our own row.
import type { Db, PgBoss } from 'pg-boss';
import { sha256 } from '../../base/ids.ts';
import type { ClaimWish } from '../queue.ts';
import type { PgDatabase, PgSession } from './database.ts';
import type { PgNotifier } from './notifier.ts';

/** What decides which worker can claim it, known before our own row is read. */
export interface DispatchNeed {
  readonly lane?: string;
  readonly digest?: string;
  readonly labels?: readonly string[];
}

export interface JobOffer extends DispatchNeed {
  /** The id of the message, also stored in the row of the job. */
  readonly id: string;
}

export interface NewOffer extends JobOffer {
  readonly priority: number;
  readonly delayMs?: number;
}

export interface Dispatch {
  /** Part of the caller's transaction; notifies waiting workers at commit. */
  send(inside: PgSession, offers: readonly NewOffer[]): Promise<void>;
  /** By priority, then age; messages with needs in `without` are skipped. */
  fetch(inside: PgSession, limit: number, without: readonly string[]): Promise<JobOffer[]>;
  /** Deletes fetched messages. */
  remove(inside: PgSession, offers: readonly JobOffer[]): Promise<void>;
  close(): Promise<void>;
}

const NAME = 'jobs';
const DAY_SECONDS = 86_400;
/** A message is kept until it is claimed, however far ahead it is due. */
const RETENTION_SECONDS = 3_650 * DAY_SECONDS;

/** `lock` is the statement that serializes migrations of all processes. */
export async function openDispatch(
  database: PgDatabase,
  { schema, lock }: { readonly schema: string; readonly lock: string },
  notifier: PgNotifier,
): Promise<Dispatch> {
  const { PgBoss } = await import('pg-boss');
  const boss = new PgBoss({
    db: {
      executeSql: (text, values) => database.plain(text, values),
      listen: async (channel) => notifier.subscribe(channel),
    },
    schema: `${schema}_boss`,
    useListenNotify: true,
    // Our own scheduler plans on every engine, and a claimed message leaves nothing to maintain.
    schedule: false,
    supervise: false,
  });
  // Failed calls throw to the caller; errors of its background work must not end the process.
  boss.on('error', () => {});
  await startBoss(boss, database, lock);
  return {
    async send(inside, offers) {
      if (offers.length > 0) await boss.insert(NAME, offers.map(toMessage), { db: toBoss(inside) });
    },
    async fetch(inside, limit, without) {
      const ignoreGroups = without.length > 0 ? [...without] : null;
      const messages = await boss.fetch<DispatchNeed>(NAME, { batchSize: limit, ignoreGroups, db: toBoss(inside) });
      return messages.map(({ id, data }) => ({ ...data, id }));
    },
    async remove(inside, offers) {
      const ids = offers.map(({ id }) => id);
      if (ids.length > 0) await boss.deleteJob(NAME, ids, { db: toBoss(inside) });
    },
    close: () => boss.stop({ graceful: false, close: false }),
  };
}

/** Jobs with the same needs can be skipped together. */
export function needGroup({ digest, labels = [] }: DispatchNeed): string | undefined {
  if (digest === undefined && labels.length === 0) return undefined;
  return sha256(JSON.stringify([digest ?? null, labels.toSorted()])).slice(0, 24);
}

export function canServe({ digest, labels = [] }: DispatchNeed, wish: ClaimWish): boolean {
  if (digest !== undefined && wish.digests && !wish.digests.includes(digest)) return false;
  return labels.every((label) => wish.labels?.includes(label));
}

/** Many processes may start at once: they migrate one after the other. */
async function startBoss(boss: PgBoss, database: PgDatabase, lock: string): Promise<void> {
  try {
    await database.transaction(async (inside) => {
      await inside.rows(lock);
      await boss.start();
      await createQueue(boss);
    });
    // pg-boss looks up a queue once over a second connection, which inside a transaction could exhaust the pool.
    await boss.fetch(NAME, { db: { executeSql: async () => ({ rows: [] }) } });
  } catch (error) {
    await boss.stop({ graceful: false, close: false }).catch(() => {});
    throw error;
  }
}

/** The same for every process: leases, retries and history are ours, so pg-boss retries nothing itself. */
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
  const need: DispatchNeed = {
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

/** Runs its statements on our connection, within our transaction. */
function toBoss(inside: PgSession): Db {
  return { executeSql: async (text, values) => ({ rows: await inside.rows(text, values) }) };
}
