// Where a project's state lives: in a file on this machine, or on the PostgreSQL server the user's settings name.
import { hostname } from 'node:os';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { realPath } from '../base/paths.ts';
import type { Config } from '../config/value.ts';
import type { Holder } from '../store/interrupt-store.ts';
import type { PostgresPlace, PostgresStore } from '../store/postgres/open.ts';
import type { Queue } from '../store/queue.ts';
import type { Store } from '../store/store.ts';

export interface StoreWish {
  readonly home: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly config: Pick<Config, 'store'>;
}

/** Closing the store closes the server, too. */
export interface ProjectState {
  readonly store: Store;
  /** Absent where everything is on this machine. */
  readonly server?: PostgresStore;
}

/** Whoever opens it closes it. After `stop` nothing waits long for a server that is away. */
export async function openProjectState(wish: StoreWish, stop?: AbortSignal): Promise<ProjectState> {
  const { home, project } = wish;
  const { openStore } = await import('../store/sqlite/store.ts');
  if (!isShared(wish)) return { store: openStore({ home, project }) };
  const [{ openPostgresStore }, { openSharedStore }] = await Promise.all([
    import('../store/postgres/open.ts'),
    import('../store/postgres/store.ts'),
  ]);
  const server = await openPostgresStore(postgresPlace(wish), stop && { stop });
  try {
    return { server, store: await openSharedStore(server, () => openStore({ home, project })) };
  } catch (error) {
    await server.database.close();
    throw error;
  }
}

export async function openProjectQueue(wish: StoreWish, stop?: AbortSignal): Promise<Queue> {
  const { home, project } = wish;
  if (!isShared(wish)) return (await import('../store/sqlite/queue.ts')).openQueue({ home, project });
  return (await import('../store/postgres/queue.ts')).openPgBossQueue(postgresPlace(wish), stop && { stop });
}

/** Whether the user's settings name a server. */
export function isShared({ config: { store } }: StoreWish): boolean {
  return store.url !== undefined;
}

/** The server the user's settings name. The password stands in the environment, never in a file. */
export function postgresPlace({ project, env, config: { store } }: StoreWish): PostgresPlace {
  const name = store.name ?? nameOf(project);
  return { url: withSecrets(store.url ?? '', env), schema: `skillwright_${name}`, place: hereOf(project) };
}

/** Other folders of this machine that share the jobs of this project because they are called the same. */
export async function findNamesakes(wish: StoreWish): Promise<readonly string[]> {
  if (!isShared(wish)) return [];
  const [{ openPostgresStore }, { namesakesOf }] = await Promise.all([
    import('../store/postgres/open.ts'),
    import('../store/postgres/status.ts'),
  ]);
  const server = postgresPlace(wish);
  const { database, sql } = await openPostgresStore(server, { connections: 1 });
  try {
    return await namesakesOf(database, sql, server.place);
  } finally {
    await database.close();
  }
}

/** The same for every way to write the path of the project. */
export function hereOf(project: string): Holder {
  return { host: hostname(), folder: realPath(project) ?? project };
}

/** `${NAME}` stands for the variable of that name; without a password the usual PGPASSWORD counts. */
function withSecrets(written: string, env: StoreWish['env']): string {
  const { password, searchParams } = new URL(written);
  for (const given of [password, ...searchParams.getAll('password')])
    if (given !== '' && !/^\$(?:\{|%7B)[A-Za-z_]\w*(?:\}|%7D)$/.test(given)) throw secretInFile();
  const url = new URL(
    written.replaceAll(/\$\{([A-Za-z_]\w*)\}/g, (_, name: string) => encodeURIComponent(variable(name, env))),
  );
  if (url.password === '' && env.PGPASSWORD) url.password = encodeURIComponent(env.PGPASSWORD);
  return url.href;
}

function variable(name: string, env: StoreWish['env']): string {
  const value = env[name];
  if (value) return value;
  throw new Fault('ConfigInvalid', {
    en: `store.url names the environment variable ${name}, which is not set`,
    zh: `store.url 引用的环境变量 ${name} 未设置`,
  });
}

const EXAMPLE = `postgres://user:\${NAME}@host/database`;

function secretInFile(): Fault {
  return new Fault('ConfigInvalid', {
    en: `store.url holds a password; name an environment variable instead: ${EXAMPLE}`,
    zh: `store.url 含有密码；请改为引用环境变量: ${EXAMPLE}`,
  });
}

/** The same on every machine that has the project in a folder of this name. */
function nameOf(project: string): string {
  const plain = path
    .basename(project)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  return plain.slice(0, 40) || 'project';
}
