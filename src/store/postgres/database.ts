// A PostgreSQL database as a small port: rows, transactions, LISTEN. Lost connections are retried until a deadline.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, ClientConfig, Pool, PoolClient } from 'pg';
import { sha256 } from '../../base/ids.ts';
import { type ConnectionDeadline, openConnectionDeadline } from './deadline.ts';
import { isPassing, translatePostgres } from './fault.ts';

export type PgRow = Record<string, unknown>;

export interface PgSession {
  /** Each statement is prepared once for each connection. */
  rows(sql: string, values?: readonly unknown[]): Promise<PgRow[]>;
}

export interface PgTransaction extends PgSession {
  /** Several statements without parameters. */
  script(sql: string): Promise<void>;
  /** The last statement, sent together with the commit. */
  finish(sql: string, values?: readonly unknown[]): Promise<PgRow[]>;
  /** Rolls back, and returns `value`. */
  undo<T>(value: T): Promise<T>;
}

/** A connection of its own that receives the notifications of a channel. */
export interface PgListener {
  on(event: 'notification' | 'end', heard: () => void): unknown;
  query(sql: string): Promise<unknown>;
  end(): Promise<void>;
}

export interface PgDatabase extends PgSession {
  /** Host, port and database, without credentials. */
  readonly server: string;
  /** A transaction; retried from the start when the connection is lost, so `work` must be repeatable. */
  transaction<T>(work: (inside: PgTransaction, isAgain: boolean) => Promise<T>): Promise<T>;
  /** Retried while the connection is lost; `isAgain` says that it may have been applied before. */
  attempt<T>(work: (session: PgSession, isAgain: boolean) => Promise<T>): Promise<T>;
  /** Unprepared: for SQL that is not ours. */
  plain(sql: string, values?: readonly unknown[]): Promise<{ rows: PgRow[] }>;
  /** A connection of its own, for LISTEN; the caller ends it. */
  connect(): Promise<PgListener>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** How long a lost connection is retried. */
  readonly patienceMs?: number;
  readonly connections?: number;
  /** After stop, every query gets a short deadline. */
  readonly stop?: AbortSignal;
}

const PATIENCE_MS = 20_000;
const CONNECTIONS = 4;
const CONNECT_MS = 5_000;
/** No query of ours takes this long: the network is down. */
const ANSWER_MS = 15_000;
const IDLE_MS = 30_000;
/** The deadline of closing; connections still open are then cut. */
const CLOSE_MS = 1_000;

export async function openPostgres(url: string, options: DatabaseOptions = {}): Promise<PgDatabase> {
  const { patienceMs = PATIENCE_MS, connections = CONNECTIONS } = options;
  const { default: pg } = await import('pg');
  const stopDeadline = openConnectionDeadline(options.stop);
  const config: ClientConfig & { pipeline: boolean } = {
    connectionString: url,
    application_name: 'skillwright',
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
    keepAlive: true,
    stream: stopDeadline.openSocket,
    // Pipelining: statements of one transaction are sent without waiting for the responses in between.
    pipeline: true,
  };
  const pool = new pg.Pool({ ...config, max: connections, idleTimeoutMillis: IDLE_MS, allowExitOnIdle: true });
  // An idle connection that is lost is only dropped; the next query reports the failure.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const server = serverName(url);
  const trying = <T>(work: (isAgain: boolean) => Promise<T>) => withRetries(work, { server, patienceMs, stopDeadline });
  return {
    server,
    rows: (sql, values) => trying(() => onConnection(pool, (client) => ask(client, sql, values))),
    attempt: (work) => trying((isAgain) => onConnection(pool, (client) => work(sessionOf(client), isAgain))),
    transaction: (work) =>
      trying((isAgain) => onConnection(pool, (client) => inTransaction(client, (inside) => work(inside, isAgain)))),
    plain: (sql, values) => trying(() => onConnection(pool, (client) => askPlainly(client, sql, values))),
    connect: () => trying(() => connectAlone(new pg.Client({ ...config, pipeline: false } as ClientConfig))),
    close: () => closeWithin(CLOSE_MS, pool, stopDeadline),
  };
}

/** Host, port and database: what may be shown. */
export function serverName(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname}:${port || 5432}${pathname === '' || pathname === '/' ? '' : pathname}`;
}

interface RetryLimit {
  readonly server: string;
  readonly patienceMs: number;
  readonly stopDeadline: ConnectionDeadline;
}

async function withRetries<T>(
  work: (isAgain: boolean) => Promise<T>,
  { server, patienceMs, stopDeadline }: RetryLimit,
): Promise<T> {
  const deadline = performance.now() + patienceMs;
  const query = stopDeadline.begin();
  try {
    for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, 1_000)) {
      try {
        return await work(pauseMs > 20);
      } catch (error) {
        const isLate = performance.now() + pauseMs > deadline || query.late.aborted;
        if (!isPassing(error) || isLate) throw translatePostgres(error, server);
      }
      await sleep(pauseMs * (0.5 + Math.random() / 2), undefined, { signal: query.late }).catch(() => {});
    }
  } finally {
    query.end();
  }
}

async function closeWithin(ms: number, pool: Pool, stopDeadline: ConnectionDeadline): Promise<void> {
  const timer = setTimeout(stopDeadline.cut, ms);
  try {
    await pool.end();
  } finally {
    clearTimeout(timer);
  }
}

async function onConnection<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let failure: unknown;
  try {
    return await work(client);
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    client.release(isPassing(failure));
  }
}

function sessionOf(client: PoolClient): PgSession {
  return { rows: (sql, values) => ask(client, sql, values) };
}

async function inTransaction<T>(client: PoolClient, work: (inside: PgTransaction) => Promise<T>): Promise<T> {
  let committed: Promise<unknown> | undefined;
  const begun = quietly(client.query('BEGIN'));
  try {
    const value = await work({
      ...sessionOf(client),
      script: async (sql) => void (await client.query(sql)),
      finish(sql, values) {
        const answer = ask(client, sql, values);
        committed = quietly(client.query('COMMIT'));
        return answer;
      },
      async undo(value) {
        committed = quietly(client.query('ROLLBACK'));
        await committed;
        return value;
      },
    });
    await begun;
    await (committed ?? client.query('COMMIT'));
    return value;
  } catch (error) {
    // On a lost connection there is nothing left to roll back.
    if (!committed) await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** A script that failed inside its own transaction leaves it open. */
async function askPlainly(client: PoolClient, sql: string, values?: readonly unknown[]): Promise<{ rows: PgRow[] }> {
  try {
    return await client.query<PgRow>(sql, values && [...values]);
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** Avoids an unhandled rejection: the caller awaits it later and sees the failure then. */
function quietly<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

async function connectAlone(client: Client): Promise<Client> {
  client.on('error', () => {});
  await client.connect();
  return client;
}

const names = new Map<string, string>();

async function ask(client: PoolClient, text: string, values: readonly unknown[] = []): Promise<PgRow[]> {
  const { rows } = await client.query<PgRow>({ name: nameOf(text), text, values: values.map(storable) });
  return rows;
}

function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `s${sha256(text).slice(0, 24)}`;
  names.set(text, name);
  return name;
}

/** PostgreSQL text holds every character but NUL. */
function storable(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
}
