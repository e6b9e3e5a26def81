// One stored result by its key, read and nothing else: no file is made, no table brought up to date.
import { type ProjectPlace, stateFile } from '../location.ts';
import { toFlightSeen } from '../read-row.ts';
import type { FlightSeen } from '../store.ts';
import { machineTicks } from '../ticks.ts';
import { isAlive } from './flight.ts';
import { loadSqlite } from './module.ts';
import { SQL } from './sql.ts';

/** Whoever writes is soon done; else the ordinary way waits longer. */
const BUSY_MS = 500;

/** Throws what SQLite throws: then the database is not as this expects it. */
export function recallFlight(place: ProjectPlace, key: string): FlightSeen | undefined {
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(stateFile(place), { readOnly: true, timeout: BUSY_MS });
  try {
    const row = database.prepare(SQL.flightOf).get(key);
    return row && isAlive(row, machineTicks) ? toFlightSeen(row) : undefined;
  } finally {
    database.close();
  }
}
