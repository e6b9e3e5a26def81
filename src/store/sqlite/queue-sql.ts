// The tables of the queue and every SQL statement on them; ended jobs are in no index that a claim reads.

export const QUEUE_TABLES = `
  CREATE TABLE queue (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    paused INTEGER NOT NULL DEFAULT 0,
    changes INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  INSERT INTO queue (one) VALUES (1);

  CREATE TABLE job (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL,
    -- Where it stands in line: 0 running, 1 ready, 2 not due yet; else not in line.
    line INTEGER,
    priority INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    attempt INTEGER NOT NULL DEFAULT 0,
    fence INTEGER NOT NULL DEFAULT 0,
    cancelling INTEGER NOT NULL DEFAULT 0,
    until INTEGER,
    epoch TEXT,
    tag TEXT,
    worker TEXT,
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    ended_at INTEGER,
    retry_limit INTEGER NOT NULL,
    retry_delay INTEGER NOT NULL,
    retry_max INTEGER NOT NULL,
    timeout_ms INTEGER NOT NULL,
    key TEXT UNIQUE,
    lane TEXT,
    schedule TEXT,
    occurrence INTEGER,
    digest TEXT,
    labels TEXT,
    role TEXT NOT NULL,
    target TEXT NOT NULL,
    reason TEXT,
    run TEXT,
    payload TEXT NOT NULL,
    result TEXT
  ) STRICT;
  -- One index for those ready and those running: a claim moves an entry within it, and writes one page less.
  CREATE INDEX job_line ON job (line, priority DESC, due_at, number) WHERE line IS NOT NULL;
  CREATE INDEX job_later ON job (due_at) WHERE line = 2;
  CREATE INDEX job_waiting ON job (number) WHERE state = 'waiting';
  CREATE INDEX job_lane ON job (lane) WHERE lane IS NOT NULL AND ended_at IS NULL;
  CREATE INDEX job_schedule ON job (schedule, number) WHERE schedule IS NOT NULL;
  CREATE INDEX job_ended ON job (ended_at, state) WHERE ended_at IS NOT NULL;

  -- Whoever waits for work hears of a job that may be claimed again and of a lane that got free; of a new one it hears anyway.
  CREATE TRIGGER job_claimable AFTER UPDATE OF state ON job
  WHEN new.state = 'queued' OR (old.state = 'running' AND old.lane IS NOT NULL)
  BEGIN
    UPDATE queue SET changes = changes + 1;
  END;

  CREATE TABLE schedule (
    id TEXT PRIMARY KEY,
    written TEXT NOT NULL,
    digest TEXT NOT NULL,
    planned_to INTEGER NOT NULL,
    state TEXT NOT NULL,
    reason TEXT
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE worker (
    id TEXT PRIMARY KEY,
    host TEXT NOT NULL,
    pid INTEGER NOT NULL,
    labels TEXT NOT NULL,
    capacity INTEGER NOT NULL,
    running INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;`;

/** Its lane is free, and the worker has the files and the labels it needs. */
const CLAIMABLE = `
  (lane IS NULL OR NOT EXISTS (
    SELECT 1 FROM job AS other
    WHERE other.lane = job.lane AND other.lane IS NOT NULL AND other.ended_at IS NULL AND other.line = 0))
  AND (:digests IS NULL OR digest IS NULL OR digest IN (SELECT value FROM json_each(:digests)))
  AND (labels IS NULL OR NOT EXISTS (
    SELECT 1 FROM json_each(job.labels) WHERE value NOT IN (SELECT value FROM json_each(:labels))))`;

/** The attempt that ends now, behind those before it. */
function triesWith(how: string, reason: string, run: string): string {
  return `json_insert(coalesce(tries, '[]'), '$[#]', json_object('attempt', attempt, 'started', started_at,
      'ended', :now, 'how', ${how}, 'worker', worker, 'reason', substr(${reason}, 1, 500), 'run', ${run}))`;
}

/** Its spare workers are used up. */
const IS_OVER = 'cancelling = 1 OR lost >= max(:spare, retry_limit)';

export const QUEUE_SQL = {
  addJob: `
    INSERT INTO job (id, state, line, priority, due_at, created_at, ended_at, retry_limit, retry_delay, retry_max,
      timeout_ms, key, lane, schedule, occurrence, digest, labels, role, target, reason, payload, traceparent)
    VALUES (:id, :state, :line, :priority, :dueAt, :now, :endedAt, :retryLimit, :retryDelay, :retryMax,
      :timeoutMs, :key, :lane, :schedule, :occurrence, :digest, :labels, :role, :target, :reason, :payload,
      :traceparent)`,
  jobOfKey: 'SELECT id, payload FROM job WHERE key = ?',
  jobOfId: 'SELECT * FROM job WHERE id = ?',
  busyLane: 'SELECT 1 FROM job WHERE lane = ? AND ended_at IS NULL LIMIT 1',

  /** The work there may be, and a mark that changes with it. */
  look: `
    SELECT paused, changes,
      coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'job'), 0) AS added,
      EXISTS (SELECT 1 FROM job WHERE line = 1) AS ready,
      (SELECT min(due_at) FROM job WHERE line = 2) AS later,
      (SELECT min(until) FROM job WHERE line = 0) AS silent
    FROM queue`,
  /** The processes of expired leases may still run, unless the machine was restarted. */
  leaveBehind: `
    INSERT OR IGNORE INTO left_behind (tag, left_at)
    SELECT tag, :now FROM job WHERE line = 0 AND tag IS NOT NULL AND epoch = :epoch AND (until <= :ticks OR until > :never)`,
  makeReady: 'UPDATE job SET line = 1 WHERE line = 2 AND due_at <= ?',
  /** Lease expired: started again while spare workers remain. The tag is kept for the next holder. */
  takeBack: `
    UPDATE job SET
      state = CASE WHEN cancelling = 1 THEN 'cancelled' WHEN ${IS_OVER} THEN 'dead' ELSE 'queued' END,
      line = iif(${IS_OVER}, NULL, 1),
      ended_at = iif(${IS_OVER}, :now, NULL),
      lost = lost + 1,
      tries = ${triesWith("iif(cancelling = 1, 'cancelled', 'silent')", 'NULL', 'NULL')},
      reason = CASE WHEN cancelling = 1 THEN :cancelled ELSE :silent END,
      tag = iif(epoch = :epoch, tag, NULL),
      until = NULL, cancelling = 0
    WHERE line = 0 AND (until <= :ticks OR until > :never OR epoch <> :epoch)`,
  nextJob: `
    SELECT * FROM job INDEXED BY job_line WHERE line = 1 AND ${CLAIMABLE}
    ORDER BY priority DESC, due_at, number LIMIT 1`,
  thisJob: `SELECT * FROM job WHERE id = :only AND line IN (1, 2) AND ${CLAIMABLE}`,
  leftBehind: 'SELECT tag FROM left_behind ORDER BY left_at',
  cleaned: 'DELETE FROM left_behind WHERE tag = ?',
  forgetLeft: 'DELETE FROM left_behind WHERE left_at < ?',
  hold: `
    UPDATE job SET state = 'running', line = 0, attempt = attempt + 1, fence = fence + 1, until = :until, epoch = :epoch,
      tag = :tag, worker = :worker, started_at = :now, reason = NULL, progress = NULL
    WHERE number = :number`,

  held: "SELECT * FROM job WHERE id = :id AND fence = :fence AND state = 'running'",
  renew: `
    UPDATE job SET until = :until, epoch = :epoch
    WHERE id = :id AND fence = :fence AND state = 'running' RETURNING cancelling`,
  report: "UPDATE job SET progress = :progress WHERE id = :id AND fence = :fence AND state = 'running'",
  complete: `
    UPDATE job SET state = 'done', line = NULL, result = :result, run = coalesce(:run, run), ended_at = :now,
      until = NULL, tag = NULL, cancelling = 0
    WHERE id = :id AND fence = :fence AND state = 'running' RETURNING number`,
  /** Every other way a job leaves its worker. */
  letGo: `
    UPDATE job SET state = :state, line = :line, due_at = :dueAt, attempt = :attempt, ended_at = :endedAt,
      result = coalesce(:result, result), reason = :reason, run = coalesce(:run, run),
      tries = iif(:how IS NULL, tries, ${triesWith(':how', ':reason', ':run')}),
      until = NULL, tag = NULL, cancelling = 0
    WHERE number = :number`,
  askToCancel: 'UPDATE job SET cancelling = 1 WHERE number = ?',
  cancel: `
    UPDATE job SET state = 'cancelled', line = NULL, ended_at = :now, reason = :reason WHERE number = :number`,
  again: `
    UPDATE job SET state = 'queued', line = :line, due_at = :dueAt, attempt = 0, lost = 0, ended_at = NULL, reason = NULL
    WHERE number = :number`,

  history: `
    SELECT * FROM job
    WHERE (:role IS NULL OR role = :role)
      AND (:states IS NULL OR state IN (SELECT value FROM json_each(:states)))
      AND (:before IS NULL OR number < (SELECT number FROM job WHERE id = :before))
    ORDER BY number DESC LIMIT :limit`,
  historyOfSchedule: `
    SELECT * FROM job
    WHERE schedule = :schedule AND (:role IS NULL OR role = :role)
      AND (:states IS NULL OR state IN (SELECT value FROM json_each(:states)))
      AND (:before IS NULL OR number < (SELECT number FROM job WHERE id = :before))
    ORDER BY number DESC LIMIT :limit`,
  counts: `
    SELECT state, count(*) AS value FROM job WHERE ended_at IS NOT NULL AND state <> 'done' GROUP BY state
    UNION ALL SELECT 'queued', count(*) FROM job WHERE line IN (1, 2)
    UNION ALL SELECT 'running', count(*) FROM job WHERE line = 0
    UNION ALL SELECT 'waiting', count(*) FROM job WHERE state = 'waiting'
    UNION ALL SELECT 'all', count(*) FROM job`,
  oldestDue: `
    SELECT min(value) AS value FROM (
      SELECT min(due_at) AS value FROM job WHERE line = 1
      UNION ALL SELECT min(due_at) FROM job WHERE line = 2)`,
  paused: 'SELECT paused FROM queue',
  setPaused: 'UPDATE queue SET paused = ?, changes = changes + 1',
  /** Ids start with the creation time, and a younger job cannot have ended before. */
  prune: `
    DELETE FROM job WHERE number IN (
      SELECT number FROM job
      WHERE id < :oldest AND ended_at IS NOT NULL AND ended_at < :before
        AND (schedule IS NULL OR number <> (SELECT max(last.number) FROM job AS last WHERE last.schedule = job.schedule))
      LIMIT :limit)
    RETURNING number`,

  needs: 'SELECT digest, labels, count(*) AS jobs FROM job WHERE line IN (1, 2) GROUP BY digest, labels',
  seen: `
    INSERT OR REPLACE INTO worker (id, host, pid, labels, capacity, running, started_at, seen_at, digests)
    VALUES (:id, :host, :pid, :labels, :capacity, :running, :startedAt, :now, :digests)`,
  leave: 'DELETE FROM worker WHERE id = ?',
  forgetWorkers: 'DELETE FROM worker WHERE seen_at < ?',
  workers: 'SELECT * FROM worker ORDER BY started_at, id',

  schedules: 'SELECT * FROM schedule ORDER BY id',
  scheduleOf: 'SELECT * FROM schedule WHERE id = ?',
  /** A schedule disabled by a person stays disabled when its definition changes. */
  openSchedule: `
    INSERT INTO schedule (id, written, digest, planned_to, state) VALUES (:id, :written, :digest, :plannedTo, 'active')
    ON CONFLICT (id) DO UPDATE SET
      written = excluded.written, digest = excluded.digest, planned_to = excluded.planned_to,
      reason = iif(state = 'disabled', reason, NULL),
      state = iif(state = 'disabled', state, 'active')
    WHERE written <> excluded.written`,
  planSchedule: `
    UPDATE schedule SET planned_to = :to
    WHERE id = :id AND planned_to = :from AND state = 'active' RETURNING id`,
  stopSchedule: "UPDATE schedule SET state = 'stopped', reason = :reason WHERE id = :id AND state = 'active'",
  disableSchedule: `
    INSERT INTO schedule (id, written, digest, planned_to, state, reason) VALUES (:id, '', '', 0, 'disabled', :reason)
    ON CONFLICT (id) DO UPDATE SET state = 'disabled', reason = excluded.reason`,
  enableSchedule: `
    UPDATE schedule SET state = 'active', reason = NULL, digest = :digest, planned_to = max(planned_to, :now)
    WHERE id = :id`,
} as const;
