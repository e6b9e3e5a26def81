// Every SQL statement of the embedded store but those of the queue. Migrations are only ever appended.
import { QUEUE_TABLES } from './queue-sql.ts';

/** "SKwr": the application id that tells our database from any other SQLite file. */
export const APPLICATION_ID = 0x534b7772;

export interface Migration {
  readonly version: number;
  readonly sql: string;
}

export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    sql: `
      CREATE TABLE usage (
        skill TEXT PRIMARY KEY,
        count INTEGER NOT NULL,
        failures INTEGER NOT NULL,
        total_ms INTEGER NOT NULL,
        last_ms INTEGER,
        last_used INTEGER
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE scanned (
        folder TEXT PRIMARY KEY,
        skill_id TEXT NOT NULL,
        name TEXT NOT NULL,
        source TEXT NOT NULL,
        fingerprint TEXT NOT NULL,
        digest TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;`,
  },
  {
    version: 2,
    sql: `
      CREATE TABLE flight (
        fence INTEGER PRIMARY KEY AUTOINCREMENT,
        key TEXT NOT NULL UNIQUE,
        payload TEXT NOT NULL,
        tag TEXT NOT NULL,
        epoch TEXT NOT NULL,
        until INTEGER NOT NULL,
        result TEXT
      ) STRICT;
      CREATE INDEX flight_until ON flight (until);`,
  },
  { version: 3, sql: QUEUE_TABLES },
  { version: 4, sql: 'ALTER TABLE job ADD COLUMN traceparent TEXT' },
  { version: 5, sql: 'CREATE INDEX job_left ON job (tag) WHERE tag IS NOT NULL AND ended_at IS NOT NULL' },
  {
    version: 6,
    // Completing a job is the most frequent operation: it should change no index but the one it leaves.
    sql: `
      DROP INDEX job_ended;
      CREATE INDEX job_undone ON job (state) WHERE ended_at IS NOT NULL AND state <> 'done';`,
  },
  {
    version: 7,
    sql: `
      ALTER TABLE worker ADD COLUMN digests TEXT;
      CREATE TABLE left_behind (tag TEXT PRIMARY KEY, left_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
      INSERT OR IGNORE INTO left_behind SELECT tag, ended_at FROM job WHERE tag IS NOT NULL AND ended_at IS NOT NULL;
      DROP INDEX job_left;`,
  },
  {
    version: 8,
    sql: `
      ALTER TABLE job ADD COLUMN lost INTEGER NOT NULL DEFAULT 0;
      -- The attempts that ended without completing it, as a JSON list.
      ALTER TABLE job ADD COLUMN tries TEXT;
      ALTER TABLE job ADD COLUMN progress TEXT;`,
  },
];

export const LATEST_VERSION = Math.max(...MIGRATIONS.map(({ version }) => version));

/** Set on every connection. FULL makes an acknowledged write survive a power cut. */
export const SETTINGS = `
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA trusted_schema = OFF;
  PRAGMA journal_size_limit = 16777216;`;

export const SQL = {
  begin: 'BEGIN IMMEDIATE',
  commit: 'COMMIT',
  rollback: 'ROLLBACK',
  useWal: 'PRAGMA journal_mode = WAL',
  applicationId: 'PRAGMA application_id',
  setApplicationId: `PRAGMA application_id = ${APPLICATION_ID}`,
  tableCount: 'SELECT count(*) AS value FROM sqlite_schema',
  integrity: 'PRAGMA integrity_check(5)',

  createVersions:
    'CREATE TABLE IF NOT EXISTS migration (version INTEGER PRIMARY KEY, applied_at INTEGER NOT NULL) STRICT',
  version: 'SELECT coalesce(max(version), 0) AS value FROM migration',
  addVersion: "INSERT INTO migration (version, applied_at) VALUES (?, unixepoch('subsec') * 1000)",

  recordUse: `
    INSERT INTO usage (skill, count, failures, total_ms, last_ms, last_used) VALUES (:skill, 1, 0, :ms, :ms, :at)
    ON CONFLICT (skill) DO UPDATE SET
      count = count + 1,
      total_ms = total_ms + excluded.total_ms,
      last_ms = iif(coalesce(last_used, 0) <= excluded.last_used, excluded.last_ms, last_ms),
      last_used = max(coalesce(last_used, 0), excluded.last_used)`,
  recordFailure: `
    INSERT INTO usage (skill, count, failures, total_ms) VALUES (:skill, 0, 1, 0)
    ON CONFLICT (skill) DO UPDATE SET failures = failures + 1`,
  usageOf: 'SELECT skill, count, failures, total_ms, last_ms, last_used FROM usage WHERE skill = ?',
  allUsage: 'SELECT skill, count, failures, total_ms, last_ms, last_used FROM usage',

  allScanned: 'SELECT folder, skill_id, name, source, fingerprint, digest FROM scanned',
  putScanned: `
    INSERT OR REPLACE INTO scanned (folder, skill_id, name, source, fingerprint, digest)
    VALUES (:folder, :skillId, :name, :source, :fingerprint, :digest)`,
  removeScanned: 'DELETE FROM scanned WHERE folder = ?',

  // Every claim is a new row: AUTOINCREMENT never gives a fence twice, not even after the row is gone.
  claimFlight: `
    INSERT OR REPLACE INTO flight (key, payload, tag, epoch, until) VALUES (:key, :payload, :tag, :epoch, :until)
    RETURNING fence`,
  flightOf: 'SELECT key, fence, payload, tag, epoch, until, result FROM flight WHERE key = ?',
  dataVersion: 'PRAGMA data_version',
  flightsOf: `
    SELECT key, fence, payload, tag, epoch, until, result FROM flight
    WHERE key IN (SELECT value FROM json_each(?))`,
  renewFlight: `
    UPDATE flight SET until = :until WHERE fence = :fence AND epoch = :epoch AND result IS NULL RETURNING fence`,
  finishFlight: `
    UPDATE flight SET result = :result, until = :until
    WHERE fence = :fence AND epoch = :epoch AND result IS NULL RETURNING fence`,
  cleanFlights: `
    DELETE FROM flight
    WHERE epoch <> :epoch OR (result IS NOT NULL AND until <= :now) OR (result IS NULL AND until <= :abandoned)`,
} as const;
