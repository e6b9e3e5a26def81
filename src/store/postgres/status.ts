// Status of the shared store for operators: the server, the connection to it, and its users. Read-only.
import { existsSync } from 'node:fs';
import type { Holder } from '../interrupt-store.ts';
import type { WorkerSeen } from '../queue.ts';
import { toWorker } from '../read-row.ts';
import { openPostgres, type PgDatabase, type PgRow, type PgSession, serverName } from './database.ts';
import { type MigrationState, migrationState } from './migrate.ts';
import type { PostgresPlace } from './open.ts';
import { type PostgresSql, postgresSql } from './sql.ts';
import { postgresMigrations } from './tables.ts';

export interface PostgresView extends MigrationState {
  readonly server: string;
  readonly schema: string;
  readonly serverVersion: string;
  /** The major version: 18. */
  readonly major: number;
  /** Whether the role may create schemas. */
  readonly mayCreate: boolean;
  readonly user: string;
  readonly latencyMs: number;
  readonly clock: ClockView;
  readonly connections: { readonly limit: number; readonly left: number };
  /** Absent while there are no tables. */
  readonly use?: UseView;
}

interface ClockView {
  /** How far the database clock is ahead of this machine's. */
  readonly aheadMs: number;
  readonly uncertainMs: number;
}

export interface UseView {
  /** By the database clock, like everything below. */
  readonly now: number;
  readonly workers: readonly WorkerSeen[];
  readonly oldestDueMs: number;
  readonly paused: boolean;
  /** Other folders of this machine that use the same tables. */
  readonly namesakes: readonly string[];
}

const PINGS = 5;
/** A folder unused for this long is no longer listed. */
const UNUSED_MS = 7 * 86_400_000;

/** Throws a Fault when the server cannot be reached. */
export async function lookAtPostgres({ url, schema, place }: PostgresPlace): Promise<PostgresView> {
  const database = await openPostgres(url, { patienceMs: 0, connections: 1 });
  try {
    const sql = postgresSql(schema);
    const [facts = {}] = await database.rows(sql.serverFacts);
    const state = await migrationState(database, sql, postgresMigrations(schema));
    return {
      server: serverName(url),
      schema,
      serverVersion: String(facts.version),
      major: Math.floor(Number(facts.number) / 10_000),
      mayCreate: facts.may_create === true,
      user: String(facts.user),
      ...state,
      ...(await ping(database, sql)),
      connections: countConnections(facts),
      ...(state.version >= state.latest && { use: await lookAtUse(database, sql, place) }),
    };
  } finally {
    await database.close();
  }
}

/** Other folders of this machine that use the same tables: they run each other's jobs. */
export async function namesakesOf(
  database: PgSession,
  sql: PostgresSql,
  place: Holder | undefined,
): Promise<readonly string[]> {
  if (!place) return [];
  const rows = await database.rows(sql.placesOf, [place.host, place.folder, UNUSED_MS]);
  return rows.map(({ folder }) => String(folder)).filter((folder) => existsSync(folder));
}

/** The fastest response gives the best estimate of clock skew: the clock was read half that time ago. */
async function ping(database: PgDatabase, sql: PostgresSql): Promise<Pick<PostgresView, 'latencyMs' | 'clock'>> {
  const pings: { readonly ms: number; readonly aheadMs: number }[] = [];
  for (let at = 0; at < PINGS; at++) {
    const begun = performance.now();
    const [row] = await database.rows(sql.clock);
    const ms = performance.now() - begun;
    pings.push({ ms, aheadMs: Number(row?.now) - (Date.now() - ms / 2) });
  }
  const [first = { ms: 0, aheadMs: 0 }, ...rest] = pings.toSorted((a, b) => a.ms - b.ms);
  const median = [first, ...rest][Math.floor(PINGS / 2)] ?? first;
  // The database returns whole milliseconds.
  const uncertainMs = Math.ceil(first.ms / 2) + 1;
  return { latencyMs: round(median.ms), clock: { aheadMs: Math.round(first.aheadMs), uncertainMs } };
}

/** The lowest limit of server, database and role; our own connection is about to close. */
function countConnections(facts: PgRow): PostgresView['connections'] {
  const limits = ['server', 'database', 'role'].flatMap((of) => {
    const limit = facts[`${of}_limit`];
    return limit === null ? [] : [{ limit: Number(limit), left: Number(limit) - Number(facts[`${of}_used`]) + 1 }];
  });
  return limits.toSorted((a, b) => a.left - b.left)[0] ?? { limit: 0, left: 0 };
}

async function lookAtUse(database: PgDatabase, sql: PostgresSql, place: Holder | undefined): Promise<UseView> {
  const [clock] = await database.rows(sql.clock);
  const [oldest] = await database.rows(sql.oldestDue);
  const [queue] = await database.rows(sql.paused);
  return {
    now: Number(clock?.now),
    workers: (await database.rows(sql.workers)).map(toWorker),
    oldestDueMs: Number(oldest?.value ?? 0),
    paused: queue?.paused === true,
    namesakes: await namesakesOf(database, sql, place),
  };
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
