// Opens a schema of a PostgreSQL server as the store of a project and migrates it.
import type { Holder } from '../interrupt-store.ts';
import { type DatabaseOptions, openPostgres, type PgDatabase } from './database.ts';
import { migratePostgres } from './migrate.ts';
import { type PostgresSql, postgresSql } from './sql.ts';
import { postgresMigrations } from './tables.ts';

export interface PostgresPlace {
  readonly url: string;
  /** Projects that share jobs share the schema. */
  readonly schema: string;
  /** The project using it, so that others can be warned; absent for tests of the store alone. */
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
