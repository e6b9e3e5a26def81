// The store of a project that several machines share: results and usage on the server, what a scan saw on this machine.
import { openPostgresStore, type PostgresPlace } from './postgres.ts';
import type { DatabaseOptions, PgDatabase } from './postgres-database.ts';
import { postgresFlights } from './postgres-flight.ts';
import type { PostgresSql } from './postgres-sql.ts';
import { toUsage } from './read-row.ts';
import type { Store, UsageRecords } from './store.ts';

export async function openSharedStore(
  place: PostgresPlace,
  openLocal: () => Store,
  options: DatabaseOptions = {},
): Promise<Store> {
  const { database, sql } = await openPostgresStore(place, options);
  try {
    const [usage, local] = [await usageRecords(database, sql), openLocal()];
    const close = () => {
      local.close();
      void database.close();
    };
    const flights = postgresFlights(database, sql);
    return { usage, scanned: local.scanned, flights, close, [Symbol.dispose]: close };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Read once when it is opened: whoever asks for one of many has them all. */
async function usageRecords(database: PgDatabase, sql: PostgresSql): Promise<UsageRecords> {
  const known = new Map((await database.rows(sql.allUsage)).map((row) => [String(row.skill), toUsage(row)]));
  return {
    async record(skill, use) {
      const ms = Math.max(0, Math.round(use.durationMs));
      if (use.ok) await database.rows(sql.recordUse, [skill, ms, Math.round(use.at)]);
      else await database.rows(sql.recordFailure, [skill]);
      const [row] = await database.rows(sql.usageOf, [skill]);
      if (row) known.set(skill, toUsage(row));
    },
    of: (skill) => known.get(skill),
    all: () => known,
  };
}
