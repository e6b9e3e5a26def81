// The store of a project shared by several machines: results and usage on the server, the scan cache on this machine.
import { toUsage } from '../read-row.ts';
import type { Store, UsageRecords } from '../store.ts';
import type { PgDatabase } from './database.ts';
import { postgresFlights } from './flight.ts';
import type { PostgresStore } from './open.ts';
import type { PostgresSql } from './sql.ts';

/** Closing it closes both. */
export async function openSharedStore({ database, sql }: PostgresStore, openLocal: () => Store): Promise<Store> {
  const [usage, local] = [await usageRecords(database, sql), openLocal()];
  const close = () => {
    local.close();
    void database.close();
  };
  const flights = postgresFlights(database, sql);
  return { usage, scanned: local.scanned, flights, close, [Symbol.dispose]: close };
}

/** Read once at open, because a caller of one usually needs them all. */
async function usageRecords(database: PgDatabase, sql: PostgresSql): Promise<UsageRecords> {
  const known = new Map((await database.rows(sql.allUsage)).map((row) => [String(row.skill), toUsage(row)]));
  return {
    async record(skill, use) {
      const ms = Math.max(0, Math.round(use.durationMs));
      const [row] = use.ok
        ? await database.rows(sql.recordUse, [skill, ms, Math.round(use.at)])
        : await database.rows(sql.recordFailure, [skill]);
      if (row) known.set(skill, toUsage(row));
    },
    of: (skill) => known.get(skill),
    all: () => known,
  };
}
