// The tables of the PostgreSQL store as an ordered list of migrations, which are only ever appended.
import { quoteName } from './sql.ts';

export interface PgMigration {
  readonly version: number;
  readonly sql: string;
}

/** Older program versions keep working beside newer ones: columns are added with defaults, nothing is renamed or removed. */
export function postgresMigrations(schema: string): readonly PgMigration[] {
  const s = quoteName(schema);
  return [
    { version: 1, sql: firstTables(s) },
    { version: 2, sql: questionTables(s) },
    { version: 3, sql: machineTables(s) },
    { version: 4, sql: attemptColumns(s) },
  ];
}

function questionTables(s: string): string {
  return `
    CREATE TABLE ${s}.interrupt (
      id text PRIMARY KEY,
      kind text NOT NULL,
      question text NOT NULL,
      items text NOT NULL,
      choices text NOT NULL,
      digest text NOT NULL,
      resume_command text NOT NULL,
      created bigint NOT NULL,
      expires bigint NOT NULL,
      -- The machine and folder that alone can go on with it, and keep its payload; none where any can.
      host text,
      folder text,
      payload text,
      -- Whoever took it: it is decided.
      taken_by text
    );
    CREATE INDEX interrupt_open ON ${s}.interrupt (created) WHERE taken_by IS NULL;

    -- Folders that use this schema, each on its machine.
    CREATE TABLE ${s}.place (
      host text NOT NULL,
      folder text NOT NULL,
      seen_at bigint NOT NULL,
      PRIMARY KEY (host, folder)
    );`;
}

function machineTables(s: string): string {
  return `
    -- The files it has, as a JSON list; none from a worker that takes any.
    ALTER TABLE ${s}.worker ADD COLUMN digests text;

    -- Processes of silent workers, until a worker of their machine has ended them.
    CREATE TABLE ${s}.left_behind (tag text PRIMARY KEY, left_at bigint NOT NULL);
    INSERT INTO ${s}.left_behind
      SELECT DISTINCT tag, ${s}.now_ms() FROM ${s}.job WHERE tag IS NOT NULL AND ended_at IS NOT NULL
      ON CONFLICT DO NOTHING;`;
}

function attemptColumns(s: string): string {
  return `
    ALTER TABLE ${s}.job ADD COLUMN lost integer NOT NULL DEFAULT 0;
    -- The attempts that ended without completing it, as a JSON list.
    ALTER TABLE ${s}.job ADD COLUMN tries text;
    ALTER TABLE ${s}.job ADD COLUMN progress text;`;
}

function firstTables(s: string): string {
  return `${firstState(s)}${firstJobs(s)}${firstWorkers(s)}`;
}

function firstState(s: string): string {
  return `
    -- Milliseconds since 1970 by the clock of the database: of this moment, and of the beginning of the transaction.
    CREATE FUNCTION ${s}.now_ms() RETURNS bigint LANGUAGE sql VOLATILE
      AS 'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
    CREATE FUNCTION ${s}.begun_ms() RETURNS bigint LANGUAGE sql STABLE
      AS 'SELECT floor(extract(epoch FROM now()) * 1000)::bigint';

    CREATE TABLE ${s}.usage (
      skill text PRIMARY KEY,
      count bigint NOT NULL,
      failures bigint NOT NULL,
      total_ms bigint NOT NULL,
      last_ms bigint,
      last_used bigint
    );

    CREATE SEQUENCE ${s}.flight_fence;
    CREATE TABLE ${s}.flight (
      -- Of the key: a key may be longer than an index entry.
      hash text PRIMARY KEY,
      key text NOT NULL,
      fence bigint NOT NULL,
      payload text NOT NULL,
      tag text NOT NULL,
      former text,
      until bigint NOT NULL,
      result text
    );
    CREATE INDEX flight_until ON ${s}.flight (until);`;
}

function firstJobs(s: string): string {
  return `

    CREATE TABLE ${s}.queue (one boolean PRIMARY KEY CHECK (one), paused boolean NOT NULL DEFAULT false);
    INSERT INTO ${s}.queue (one) VALUES (true);

    CREATE TABLE ${s}.job (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      id text NOT NULL UNIQUE,
      state text NOT NULL,
      -- The message of pg-boss that offers it to workers; none while it runs, waits for its lane or has ended.
      offer uuid,
      -- Its lane was busy when a worker came for it.
      parked boolean NOT NULL DEFAULT false,
      priority integer NOT NULL,
      due_at bigint NOT NULL,
      attempt integer NOT NULL DEFAULT 0,
      fence bigint NOT NULL DEFAULT 0,
      cancelling boolean NOT NULL DEFAULT false,
      until bigint,
      tag text,
      -- The processes of the worker before, as it was handed out last.
      former text,
      worker text,
      created_at bigint NOT NULL,
      started_at bigint,
      ended_at bigint,
      retry_limit integer NOT NULL,
      retry_delay bigint NOT NULL,
      retry_max bigint NOT NULL,
      timeout_ms bigint NOT NULL,
      key text,
      key_hash text,
      lane text,
      schedule text,
      occurrence bigint,
      digest text,
      labels text,
      traceparent text,
      role text NOT NULL,
      target text NOT NULL,
      reason text,
      run text,
      payload text NOT NULL,
      result text
    );
    CREATE UNIQUE INDEX job_key ON ${s}.job (key_hash) WHERE key_hash IS NOT NULL;
    CREATE UNIQUE INDEX job_offer ON ${s}.job (offer) WHERE offer IS NOT NULL;
    CREATE INDEX job_due ON ${s}.job (due_at) WHERE offer IS NOT NULL;
    CREATE INDEX job_running ON ${s}.job (until) WHERE state = 'running';
    CREATE INDEX job_waiting ON ${s}.job (number) WHERE state = 'waiting';
    CREATE INDEX job_lane ON ${s}.job (lane) WHERE lane IS NOT NULL AND ended_at IS NULL;
    CREATE INDEX job_schedule ON ${s}.job (schedule, number) WHERE schedule IS NOT NULL;
    CREATE INDEX job_left ON ${s}.job (tag) WHERE tag IS NOT NULL AND ended_at IS NOT NULL;
    CREATE INDEX job_ended ON ${s}.job (ended_at, state) WHERE ended_at IS NOT NULL;`;
}

function firstWorkers(s: string): string {
  return `

    CREATE TABLE ${s}.schedule (
      id text PRIMARY KEY,
      written text NOT NULL,
      digest text NOT NULL,
      planned_to bigint NOT NULL,
      state text NOT NULL,
      reason text
    );

    CREATE TABLE ${s}.worker (
      id text PRIMARY KEY,
      host text NOT NULL,
      pid integer NOT NULL,
      labels text NOT NULL,
      capacity integer NOT NULL,
      running integer NOT NULL,
      started_at bigint NOT NULL,
      seen_at bigint NOT NULL
    );`;
}
