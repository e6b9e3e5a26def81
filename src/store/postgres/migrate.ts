// Migrates a schema to the version this program knows, while older programs keep working in it.
import type { PgDatabase, PgSession } from './database.ts';
import type { PostgresSql } from './sql.ts';
import type { PgMigration } from './tables.ts';

export interface MigrationState {
  /** 0: nothing is there yet. */
  readonly version: number;
  readonly latest: number;
}

export async function migratePostgres(
  database: PgDatabase,
  sql: PostgresSql,
  migrations: readonly PgMigration[],
): Promise<void> {
  const { version, latest } = await migrationState(database, sql, migrations);
  if (version >= latest) return;
  await database.transaction(async (inside) => {
    // A second process waits here for the lock, and finds nothing left to do.
    await inside.rows(sql.migrationLock);
    await inside.script(sql.createSchema);
    const current = await currentVersion(inside, sql);
    for (const { version: next, sql: script } of migrations) {
      if (next <= current) continue;
      await inside.script(script);
      await inside.rows(sql.addVersion, [next]);
    }
  });
}

/** Looks, and changes nothing. A newer schema is usable: whatever came later was only added. */
export async function migrationState(
  database: PgDatabase,
  sql: PostgresSql,
  migrations: readonly PgMigration[],
): Promise<MigrationState> {
  const latest = Math.max(...migrations.map(({ version }) => version));
  const [there] = await database.rows(sql.isThere);
  return { version: there?.value === true ? await currentVersion(database, sql) : 0, latest };
}

async function currentVersion(session: PgSession, sql: PostgresSql): Promise<number> {
  const [row] = await session.rows(sql.version);
  return Number(row?.value ?? 0);
}
