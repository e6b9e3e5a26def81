// The embedded store: one SQLite database per project, shared safely by any number of processes.
import { renameSync } from 'node:fs';
import { timeId } from '../../base/ids.ts';
import { isNotFound } from '../../base/read-file.ts';
import { type ProjectPlace, stateFile } from '../location.ts';
import { toUsage } from '../read-row.ts';
import type { ScannedSkill, ScannedSkills, Store, UsageRecords } from '../store.ts';
import { type Database, openDatabase, type Row } from './database.ts';
import { type FlightOptions, sqliteFlights } from './flight.ts';
import { migrate } from './migrate.ts';
import { SQL } from './sql.ts';

export function openStore(place: ProjectPlace, flight: FlightOptions = {}): Store {
  const database = openDatabase(stateFile(place));
  try {
    migrate(database);
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    usage: usageRecords(database),
    scanned: scannedSkills(database),
    flights: sqliteFlights(database, flight),
    close: () => database.close(),
    [Symbol.dispose]: () => database.close(),
  };
}

/** Result of SQLite's integrity check; empty when the database is intact. */
export function checkState(place: ProjectPlace): string[] {
  const database = openDatabase(stateFile(place));
  try {
    const found = database.rows(SQL.integrity).map((row) => text(row.integrity_check));
    return found.length === 1 && found[0] === 'ok' ? [] : found;
  } finally {
    database.close();
  }
}

/** Only on request: keeps the damaged database under another name, so that the next use creates a new one. */
export function setStateAside(place: ProjectPlace, now: number): string {
  const file = stateFile(place);
  const aside = `${file}.aside-${timeId(now)}`;
  renameSync(file, aside);
  for (const part of ['-wal', '-shm']) {
    try {
      renameSync(file + part, aside + part);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
  return aside;
}

function usageRecords(database: Database): UsageRecords {
  return {
    record(skill, use) {
      if (!use.ok) return database.runNamed(SQL.recordFailure, { skill });
      const ms = Math.max(0, Math.round(use.durationMs));
      database.runNamed(SQL.recordUse, { skill, ms, at: Math.round(use.at) });
    },
    of(skill) {
      const [row] = database.rows(SQL.usageOf, skill);
      return row && toUsage(row);
    },
    all: () => new Map(database.rows(SQL.allUsage).map((row) => [text(row.skill), toUsage(row)])),
  };
}

function scannedSkills(database: Database): ScannedSkills {
  const all = () => new Map(database.rows(SQL.allScanned).map((row) => [text(row.folder), toScanned(row)]));
  return {
    all,
    reconcile(decide) {
      return database.transaction(() => {
        const change = decide(all());
        for (const folder of change.removeFolders) database.run(SQL.removeScanned, folder);
        for (const skill of change.put) database.runNamed(SQL.putScanned, { ...skill });
        return change;
      });
    },
  };
}

function toScanned(row: Row): ScannedSkill {
  return {
    folder: text(row.folder),
    skillId: text(row.skill_id),
    name: text(row.name),
    source: text(row.source),
    fingerprint: text(row.fingerprint),
    digest: text(row.digest),
  };
}

function text(value: unknown): string {
  return String(value);
}
