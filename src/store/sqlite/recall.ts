// Reads one stored result by its key: creates no file, runs no migration.
import { type ProjectPlace, stateFile } from '../location.ts';
import { toFlightSeen } from '../read-row.ts';
import type { FlightSeen } from '../store.ts';
import { machineTicks } from '../ticks.ts';
import { isAlive } from './flight.ts';
import { loadSqlite } from './module.ts';
import { SQL } from './sql.ts';

/** A writer is usually done by then; else the ordinary path waits longer. */
const BUSY_MS = 500;

/** Throws the errors of SQLite: then the database does not have the expected form. */
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
