// Where a project's state lives: in a file on this machine, or on the PostgreSQL server the user's settings name.
import path from 'node:path';
import { Fault } from './base/errors.ts';
import type { Config } from './config.ts';
import type { PostgresPlace } from './store/postgres.ts';
import type { Queue } from './store/queue.ts';
import type { Store } from './store/store.ts';

export interface StoreWish {
  readonly home: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly config: Pick<Config, 'store'>;
}

/** Whoever opens it closes it. */
export async function openProjectStore(wish: StoreWish): Promise<Store> {
  const { home, project } = wish;
  const { openStore } = await import('./store/sqlite.ts');
  const server = postgresPlace(wish);
  if (!server) return openStore({ home, project });
  const { openSharedStore } = await import('./store/postgres-shared-store.ts');
  return openSharedStore(server, () => openStore({ home, project }));
}

export async function openProjectQueue(wish: StoreWish): Promise<Queue> {
  const { home, project } = wish;
  const server = postgresPlace(wish);
  if (!server) return (await import('./store/sqlite-queue.ts')).openQueue({ home, project });
  return (await import('./store/pg-boss-queue.ts')).openPgBossQueue(server);
}

/** The server, where the user's settings name one. The password stands in the environment, never in a file. */
export function postgresPlace({ project, env, config: { store } }: StoreWish): PostgresPlace | undefined {
  if (store.url === undefined) return undefined;
  const name = store.name ?? nameOf(project);
  return { url: withSecrets(store.url, env), schema: `skillwright_${name}` };
}

/** `${NAME}` stands for the variable of that name; without a password the usual PGPASSWORD counts. */
function withSecrets(written: string, env: StoreWish['env']): string {
  const { password } = new URL(written);
  if (password !== '' && !/^\$(?:\{|%7B)[A-Za-z_]\w*(?:\}|%7D)$/.test(password)) throw secretInFile();
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
