// A schema of a PostgreSQL server as the store of a project: opened, brought up to date, and looked at.
import type { Holder } from './interrupt-store.ts';
import { type DatabaseOptions, openPostgres, type PgDatabase, serverName } from './postgres-database.ts';
import { migratePostgres, migrationState } from './postgres-migrate.ts';
import { type PostgresSql, postgresSql } from './postgres-sql.ts';
import { postgresMigrations } from './postgres-tables.ts';

export interface PostgresPlace {
  readonly url: string;
  /** Projects that share jobs share it. */
  readonly schema: string;
  /** Who uses it, so that others can be warned; absent for tests of the store alone. */
  readonly place?: Holder;
}

export interface PostgresStore {
  readonly database: PgDatabase;
  readonly sql: PostgresSql;
}

export async function openPostgresStore(
  { url, schema, place }: PostgresPlace,
  options: DatabaseOptions = {},
): Promise<PostgresStore> {
  const database = await openPostgres(url, options);
  const sql = postgresSql(schema);
  try {
    await migratePostgres(database, sql, postgresMigrations(schema));
    if (place) await database.rows(sql.notePlace, [place.host, place.folder]);
    return { database, sql };
  } catch (error) {
    await database.close();
    throw error;
  }
}

export interface PostgresState {
  readonly server: string;
  readonly schema: string;
  readonly serverVersion: string;
  readonly version: number;
  readonly latest: number;
}

/** For a check: looks for a moment, and changes nothing. Throws a Fault where it cannot be reached. */
export async function lookAtPostgres({ url, schema }: PostgresPlace): Promise<PostgresState> {
  const database = await openPostgres(url, { patienceMs: 0, connections: 1 });
  try {
    const sql = postgresSql(schema);
    const [row] = await database.rows(sql.serverVersion);
    const state = await migrationState(database, sql, postgresMigrations(schema));
    return { server: serverName(url), schema, serverVersion: String(row?.value), ...state };
  } finally {
    await database.close();
  }
}
