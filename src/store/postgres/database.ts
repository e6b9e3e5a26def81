// A PostgreSQL database behind a few words: rows, transactions, listening. Lost connections are tried again for a while.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, ClientConfig, Pool, PoolClient } from 'pg';
import { sha256 } from '../../base/ids.ts';
import { type ConnectionDeadline, openLine } from './deadline.ts';
import { isPassing, translatePostgres } from './fault.ts';

export type PgRow = Record<string, unknown>;

export interface PgSession {
  /** Each statement is prepared once for each connection. */
  rows(sql: string, values?: readonly unknown[]): Promise<PgRow[]>;
}

export interface PgTransaction extends PgSession {
  /** Several statements without values. */
  script(sql: string): Promise<void>;
  /** The last statement, sent together with the commit. */
  finish(sql: string, values?: readonly unknown[]): Promise<PgRow[]>;
  /** Takes back what was done so far, and hands `value` on. */
  undo<T>(value: T): Promise<T>;
}

/** A connection of its own that hears what is told on a channel. */
export interface PgListener {
  on(event: 'notification' | 'end', heard: () => void): unknown;
  query(sql: string): Promise<unknown>;
  end(): Promise<void>;
}

export interface PgDatabase extends PgSession {
  /** Host, port and database, for people. */
  readonly server: string;
  /** All or nothing; done again from the start when the connection is lost, so `work` must bear that. */
  transaction<T>(work: (inside: PgTransaction, isAgain: boolean) => Promise<T>): Promise<T>;
  /** Tried again while the connection is lost; `isAgain` says that it may have been done before. */
  attempt<T>(work: (session: PgSession, isAgain: boolean) => Promise<T>): Promise<T>;
  /** As it is, unprepared: for SQL that is not ours. */
  plain(sql: string, values?: readonly unknown[]): Promise<{ rows: PgRow[] }>;
  /** A connection of its own, for listening; whoever opens it ends it. */
  connect(): Promise<PgListener>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** How long a lost connection is tried again. */
  readonly patienceMs?: number;
  readonly connections?: number;
  /** From then on nothing waits long for a server that is away. */
  readonly stop?: AbortSignal;
}

const PATIENCE_MS = 20_000;
const CONNECTIONS = 4;
const CONNECT_MS = 5_000;
/** Nothing we ask takes this long: the network is gone. */
const ANSWER_MS = 15_000;
const IDLE_MS = 30_000;
/** What was not said goodbye to by then is cut off. */
const CLOSE_MS = 1_000;

export async function openPostgres(url: string, options: DatabaseOptions = {}): Promise<PgDatabase> {
  const { patienceMs = PATIENCE_MS, connections = CONNECTIONS } = options;
  const { default: pg } = await import('pg');
  const line = openLine(options.stop);
  const config: ClientConfig & { pipeline: boolean } = {
    connectionString: url,
    application_name: 'skillwright',
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
    keepAlive: true,
    stream: line.openSocket,
    // Statements of one transaction follow each other without waiting for the answers in between.
    pipeline: true,
  };
  const pool = new pg.Pool({ ...config, max: connections, idleTimeoutMillis: IDLE_MS, allowExitOnIdle: true });
  // A connection that is lost while nobody asks anything is simply not used again; whoever asks is told.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const server = serverName(url);
  const trying = <T>(work: (isAgain: boolean) => Promise<T>) => patiently(work, { server, patienceMs, line });
  return {
    server,
    rows: (sql, values) => trying(() => onConnection(pool, (client) => ask(client, sql, values))),
    attempt: (work) => trying((isAgain) => onConnection(pool, (client) => work(sessionOf(client), isAgain))),
    transaction: (work) =>
      trying((isAgain) => onConnection(pool, (client) => inTransaction(client, (inside) => work(inside, isAgain)))),
    plain: (sql, values) => trying(() => onConnection(pool, (client) => askPlainly(client, sql, values))),
    connect: () => trying(() => connectAlone(new pg.Client({ ...config, pipeline: false } as ClientConfig))),
    close: () => closeWithin(CLOSE_MS, pool, line),
  };
}

/** Host, port and database: what may be shown. */
export function serverName(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname}:${port || 5432}${pathname === '' || pathname === '/' ? '' : pathname}`;
}

interface Patience {
  readonly server: string;
  readonly patienceMs: number;
  readonly line: ConnectionDeadline;
}

async function patiently<T>(
  work: (isAgain: boolean) => Promise<T>,
  { server, patienceMs, line }: Patience,
): Promise<T> {
  const deadline = performance.now() + patienceMs;
  const word = line.begin();
  try {
    for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, 1_000)) {
      try {
        return await work(pauseMs > 20);
      } catch (error) {
        const isLate = performance.now() + pauseMs > deadline || word.late.aborted;
        if (!isPassing(error) || isLate) throw translatePostgres(error, server);
      }
      await sleep(pauseMs * (0.5 + Math.random() / 2), undefined, { signal: word.late }).catch(() => {});
    }
  } finally {
    word.end();
  }
}

async function closeWithin(ms: number, pool: Pool, line: ConnectionDeadline): Promise<void> {
  const timer = setTimeout(line.cut, ms);
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
    // On a lost connection there is nothing left to take back.
    if (!committed) await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** A script that began a transaction and failed has not ended it. */
async function askPlainly(client: PoolClient, sql: string, values?: readonly unknown[]): Promise<{ rows: PgRow[] }> {
  try {
    return await client.query<PgRow>(sql, values && [...values]);
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** Its failure is seen by whoever awaits it, and by nobody before. */
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

/** PostgreSQL keeps every character but this one. */
function storable(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
}
