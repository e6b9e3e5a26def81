// Every SQL statement of the PostgreSQL store, for one schema.

/** A schema is ours to name, but never pasted unquoted. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export type PostgresSql = ReturnType<typeof postgresSql>;

export function postgresSql(schema: string) {
  const s = quoteName(schema);
  return {
    ...commonSql(s, schema),
    ...flightSql(s),
    ...jobSql(s),
    ...leaseSql(s),
    ...lookSql(s),
    ...scheduleSql(s),
    ...interruptSql(s),
  } as const;
}

function interruptSql(s: string) {
  return {
    /** Times by the database clock. Idempotent: a retry after a lost response stores one question. */
    saveInterrupt: `
      INSERT INTO ${s}.interrupt (id, kind, question, items, choices, digest, resume_command, created, expires, host, folder, payload)
      VALUES ($1, $2, $3, $4, $5, $6, $7, ${s}.now_ms(), ${s}.now_ms() + $8, $9, $10, $11)
      ON CONFLICT (id) DO UPDATE SET digest = excluded.digest WHERE interrupt.digest = excluded.digest
      RETURNING id`,
    interruptOf: `SELECT *, ${s}.now_ms() AS now FROM ${s}.interrupt WHERE id = $1 AND taken_by IS NULL`,
    /** Also deletes questions that expired long ago. */
    openInterrupts: `
      WITH asked AS (DELETE FROM ${s}.interrupt WHERE expires < ${s}.now_ms() - $1)
      SELECT *, ${s}.now_ms() AS now FROM ${s}.interrupt
      WHERE taken_by IS NULL AND expires > ${s}.now_ms() ORDER BY created, id`,
    takeInterrupt: `
      UPDATE ${s}.interrupt SET taken_by = $3
      WHERE id = $1 AND digest = $2 AND expires > ${s}.now_ms() AND (taken_by IS NULL OR taken_by = $3)
      RETURNING *, ${s}.now_ms() AS now`,
  } as const;
}

function commonSql(s: string, schema: string) {
  return {
    createSchema: `
      CREATE SCHEMA IF NOT EXISTS ${s};
      CREATE TABLE IF NOT EXISTS ${s}.migration (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`,
    isThere: `SELECT to_regclass('${s.replaceAll("'", "''")}.migration') IS NOT NULL AS value`,
    version: `SELECT coalesce(max(version), 0) AS value FROM ${s}.migration`,
    addVersion: `INSERT INTO ${s}.migration (version) VALUES ($1)`,
    /** Held until the transaction ends. */
    migrationLock: `SELECT pg_advisory_xact_lock(hashtextextended('skillwright migration ${schema.replaceAll("'", "''")}', 0))`,
    serverFacts: `
      SELECT current_setting('server_version') AS version, current_setting('server_version_num')::integer AS number,
        current_user AS user, has_database_privilege(current_database(), 'CREATE') AS may_create,
        current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
          - coalesce(current_setting('reserved_connections', true)::integer, 0) AS server_limit,
        (SELECT sum(numbackends) FROM pg_stat_database) AS server_used,
        nullif(datconnlimit, -1) AS database_limit, pg_stat_get_db_numbackends(oid) AS database_used,
        (SELECT nullif(rolconnlimit, -1) FROM pg_roles WHERE rolname = current_user) AS role_limit,
        (SELECT count(*) FROM pg_stat_activity WHERE usename = current_user) AS role_used
      FROM pg_database WHERE datname = current_database()`,
    clock: `SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now`,

    /** Not with every command: once a minute is enough to know that a folder is in use. */
    notePlace: `
      INSERT INTO ${s}.place AS known (host, folder, seen_at) VALUES ($1, $2, ${s}.now_ms())
      ON CONFLICT (host, folder) DO UPDATE SET seen_at = excluded.seen_at WHERE known.seen_at < excluded.seen_at - 60000`,
    placesOf: `SELECT folder FROM ${s}.place WHERE host = $1 AND folder <> $2 AND seen_at > ${s}.now_ms() - $3 ORDER BY folder`,

    recordUse: `
      INSERT INTO ${s}.usage AS known (skill, count, failures, total_ms, last_ms, last_used) VALUES ($1, 1, 0, $2, $2, $3)
      ON CONFLICT (skill) DO UPDATE SET
        count = known.count + 1,
        total_ms = known.total_ms + excluded.total_ms,
        last_ms = CASE WHEN coalesce(known.last_used, 0) <= excluded.last_used THEN excluded.last_ms ELSE known.last_ms END,
        last_used = greatest(coalesce(known.last_used, 0), excluded.last_used)
      RETURNING *`,
    recordFailure: `
      INSERT INTO ${s}.usage AS known (skill, count, failures, total_ms) VALUES ($1, 0, 1, 0)
      ON CONFLICT (skill) DO UPDATE SET failures = known.failures + 1
      RETURNING *`,
    allUsage: `SELECT * FROM ${s}.usage`,
  } as const;
}

function flightSql(s: string) {
  return {
    /** No row: another process leads, or the result is still valid. The fencing token is drawn with the row. */
    claimFlight: `
      INSERT INTO ${s}.flight AS known (hash, key, payload, tag, until, fence)
      VALUES ($1, $2, $3, $4, ${s}.now_ms() + $5, nextval('${s}.flight_fence'))
      ON CONFLICT (hash) DO UPDATE SET
        payload = excluded.payload, tag = excluded.tag, until = ${s}.now_ms() + $5,
        fence = nextval('${s}.flight_fence'),
        former = CASE WHEN known.result IS NULL THEN known.tag END,
        result = NULL
      WHERE known.until <= ${s}.now_ms() OR ($6 AND known.result IS NOT NULL)
      RETURNING fence, former`,
    flightsOf: `
      SELECT key, fence, payload, result, tag, former FROM ${s}.flight WHERE hash = ANY($1::text[]) AND until > ${s}.now_ms()`,
    renewFlight: `
      UPDATE ${s}.flight SET until = ${s}.now_ms() + $3
      WHERE hash = $1 AND fence = $2 AND result IS NULL RETURNING fence`,
    finishFlight: `
      UPDATE ${s}.flight SET result = $3, until = ${s}.now_ms() + $4
      WHERE hash = $1 AND fence = $2 AND result IS NULL RETURNING fence`,
    /** Retry after a lost response: whether this result was stored. */
    isFinished: `SELECT 1 FROM ${s}.flight WHERE hash = $1 AND fence = $2 AND result = $3`,
    cleanFlights: `
      DELETE FROM ${s}.flight
      WHERE (result IS NOT NULL AND until <= ${s}.now_ms()) OR (result IS NULL AND until <= ${s}.now_ms() - $1)`,
  } as const;
}

function jobSql(s: string) {
  const held = `state = 'running', offer = NULL, attempt = attempt + 1, fence = fence + 1, until = ${s}.now_ms() + $2,
        worker = $3, started_at = ${s}.now_ms(), reason = NULL, progress = NULL, former = tag, tag = $4`;
  return {
    addJob: `
      INSERT INTO ${s}.job (id, state, offer, priority, due_at, created_at, ended_at, retry_limit, retry_delay, retry_max,
        timeout_ms, key, key_hash, lane, schedule, occurrence, digest, labels, role, target, reason, payload, traceparent)
      VALUES ($1, $2, $3, $4, ${s}.begun_ms() + $5, ${s}.begun_ms(), CASE WHEN $2 = 'queued' THEN NULL ELSE ${s}.begun_ms() END,
        $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)
      ON CONFLICT DO NOTHING RETURNING id`,
    jobOfKey: `SELECT id, payload, state FROM ${s}.job WHERE key_hash = $1`,
    jobOfId: `SELECT * FROM ${s}.job WHERE id = $1`,
    laneOf: `SELECT lane FROM ${s}.job WHERE id = $1`,
    lockJob: `SELECT * FROM ${s}.job WHERE id = $1 FOR UPDATE`,
    busyLane: `SELECT 1 FROM ${s}.job WHERE lane = $1 AND ended_at IS NULL LIMIT 1`,
    /** Locks lanes in a fixed order, to avoid deadlocks. */
    lockLanes: `
      SELECT pg_advisory_xact_lock(hashtextextended(lane, 7)) FROM (SELECT unnest($1::text[]) AS lane ORDER BY 1) AS lanes`,

    hold: `UPDATE ${s}.job SET ${held} WHERE offer = ANY($1::uuid[]) AND state = 'queued' RETURNING *`,
    /** The first job of a lane, if none of it runs. */
    holdInLanes: `
      WITH offered AS (
        SELECT number, lane, row_number() OVER (PARTITION BY lane ORDER BY priority DESC, due_at, number) AS place
        FROM ${s}.job WHERE offer = ANY($1::uuid[]) AND state = 'queued')
      UPDATE ${s}.job SET ${held}
      FROM offered
      WHERE job.number = offered.number AND (offered.lane IS NULL OR (offered.place = 1 AND NOT EXISTS (
        SELECT 1 FROM ${s}.job AS other
        WHERE other.lane = offered.lane AND other.ended_at IS NULL AND other.state = 'running')))
      RETURNING job.*`,
    park: `
      UPDATE ${s}.job SET offer = NULL, parked = true WHERE offer = ANY($1::uuid[]) AND state = 'queued' RETURNING number`,
    /** Also a job that is not due yet, or waits for its lane. */
    offerNow: `
      UPDATE ${s}.job SET parked = false, offer = coalesce(offer, gen_random_uuid())
      WHERE id = $1 AND state = 'queued' RETURNING *`,
    /** Retry after a lost response: the jobs of this claim. */
    heldBy: `SELECT * FROM ${s}.job WHERE worker = $1 AND tag = $2 AND state = 'running'`,
    leftBehind: `SELECT tag FROM ${s}.left_behind ORDER BY left_at`,
    cleaned: `DELETE FROM ${s}.left_behind WHERE tag = $1`,
    forgetLeft: `DELETE FROM ${s}.left_behind WHERE left_at < ${s}.now_ms() - $1`,
    /** The next job of a lane that became free; its message is sent in the same transaction. */
    unpark: `
      UPDATE ${s}.job SET parked = false, offer = gen_random_uuid()
      WHERE number = (
        SELECT number FROM ${s}.job WHERE lane = $1 AND ended_at IS NULL AND parked
        ORDER BY priority DESC, due_at, number LIMIT 1)
      RETURNING *`,
    askToCancel: `UPDATE ${s}.job SET cancelling = true WHERE id = $1`,
    cancel: `
      UPDATE ${s}.job SET state = 'cancelled', offer = NULL, parked = false, ended_at = ${s}.now_ms(), reason = $2
      WHERE id = $1`,
    again: `
      UPDATE ${s}.job SET state = 'queued', offer = $2, parked = false, due_at = ${s}.begun_ms() + $3, attempt = 0,
        lost = 0, ended_at = NULL, reason = NULL
      WHERE id = $1 RETURNING *`,
  } as const;
}

/** What a lease holder says of its job, and what becomes of one whose lease expired. */
function leaseSql(s: string) {
  const nobody = 'until = NULL, tag = NULL, cancelling = false';
  const mine = "id = $1 AND fence = $2 AND state = 'running'";
  /** The attempt that ends now, behind those before it. */
  const triesWith = (how: string, reason: string, run: string) => `
        (coalesce(tries, '[]')::jsonb || jsonb_build_array(jsonb_build_object('attempt', attempt, 'started', started_at,
          'ended', ${s}.now_ms(), 'how', ${how}, 'worker', worker, 'reason', left(${reason}, 500), 'run', ${run})))::text`;
  /** Its spare workers are used up. */
  const isOver = 'cancelling OR lost >= greatest($4, retry_limit)';
  return {
    /** Lease expired: started again while spare workers remain. Its processes may still run, so the tag is kept. */
    takeBack: `
      WITH silent AS (
        SELECT number, tag FROM ${s}.job WHERE state = 'running' AND until <= ${s}.now_ms()
        ORDER BY until LIMIT $3 FOR UPDATE SKIP LOCKED),
      left_behind AS (
        INSERT INTO ${s}.left_behind (tag, left_at)
        SELECT DISTINCT tag, ${s}.now_ms() FROM silent WHERE tag IS NOT NULL ON CONFLICT DO NOTHING)
      UPDATE ${s}.job SET
        state = CASE WHEN cancelling THEN 'cancelled' WHEN ${isOver} THEN 'dead' ELSE 'queued' END,
        offer = CASE WHEN ${isOver} THEN NULL ELSE gen_random_uuid() END,
        ended_at = CASE WHEN ${isOver} THEN ${s}.now_ms() END,
        lost = lost + 1,
        tries = ${triesWith("CASE WHEN cancelling THEN 'cancelled' ELSE 'silent' END", 'NULL', 'NULL::text')},
        reason = CASE WHEN cancelling THEN $1 ELSE $2 END,
        until = NULL, cancelling = false
      FROM silent WHERE job.number = silent.number
      RETURNING job.*`,
    renew: `
      UPDATE ${s}.job SET until = ${s}.now_ms() + $3
      FROM unnest($1::text[], $2::bigint[]) AS held (id, fence)
      WHERE job.id = held.id AND job.fence = held.fence AND job.state = 'running'
      RETURNING job.id, job.cancelling`,
    report: `UPDATE ${s}.job SET progress = $3 WHERE ${mine}`,
    complete: `
      UPDATE ${s}.job SET state = 'done', result = $3, run = coalesce($4, run), ended_at = ${s}.now_ms(), ${nobody}
      WHERE ${mine} RETURNING id`,
    /** Retry after a lost response: whether this operation was applied. */
    isCompleted: `SELECT 1 FROM ${s}.job WHERE id = $1 AND fence = $2 AND state = 'done' AND result = $3`,
    /** Every other way a job leaves its worker. */
    letGo: `
      UPDATE ${s}.job SET state = $3, offer = $4, due_at = ${s}.begun_ms() + $5,
        ended_at = CASE WHEN $3 IN ('dead', 'cancelled') THEN ${s}.now_ms() END,
        result = coalesce($6, result), reason = $7, run = coalesce($8, run), tries = ${triesWith('$9::text', '$7', '$8::text')}, ${nobody}
      WHERE ${mine} RETURNING *`,
    /** Released as if never claimed: it keeps its place in the queue. */
    giveBack: `
      UPDATE ${s}.job SET state = 'queued', offer = $3, attempt = attempt - 1, reason = NULL, ${nobody}
      WHERE ${mine} RETURNING *`,
  } as const;
}

function lookSql(s: string) {
  const filters = `
    ($1::text IS NULL OR role = $1) AND ($2::text[] IS NULL OR state = ANY($2))
    AND ($3::text IS NULL OR number < (SELECT number FROM ${s}.job WHERE id = $3))`;
  return {
    /** What a claim must know besides the messages. */
    look: `
      SELECT paused, EXISTS (SELECT 1 FROM ${s}.job WHERE state = 'running' AND until <= ${s}.now_ms()) AS silent
      FROM ${s}.queue`,
    /** Whether this worker could claim something now, and when it can. Labels and digests as JSON lists. */
    isReady: `
      SELECT paused, ${s}.now_ms() AS now,
        EXISTS (
          SELECT 1 FROM ${s}.job WHERE offer IS NOT NULL AND due_at <= ${s}.now_ms()
            AND ($2::text[] IS NULL OR digest IS NULL OR digest = ANY($2))
            AND (labels IS NULL OR labels::jsonb <@ $1::jsonb)) AS ready,
        (SELECT min(due_at) FROM ${s}.job WHERE offer IS NOT NULL AND due_at > ${s}.now_ms()) AS later,
        (SELECT min(until) FROM ${s}.job WHERE state = 'running') AS silent
      FROM ${s}.queue`,
    history: `
      SELECT * FROM ${s}.job WHERE ${filters} ORDER BY number DESC LIMIT $4`,
    historyOfSchedule: `
      SELECT * FROM ${s}.job WHERE ${filters} AND schedule = $5 ORDER BY number DESC LIMIT $4`,
    counts: `SELECT state, count(*) AS value FROM ${s}.job GROUP BY state`,
    oldestDue: `
      SELECT ${s}.now_ms() - min(due_at) AS value FROM ${s}.job
      WHERE state = 'queued' AND (offer IS NOT NULL OR parked) AND due_at <= ${s}.now_ms()`,
    paused: `SELECT paused FROM ${s}.queue`,
    setPaused: `UPDATE ${s}.queue SET paused = $1`,
    notify: 'SELECT pg_notify($1, $2)',
    prune: `
      DELETE FROM ${s}.job WHERE number IN (
        SELECT number FROM ${s}.job AS old
        WHERE ended_at IS NOT NULL AND ended_at < ${s}.now_ms() - $1
          AND (schedule IS NULL OR number <> (SELECT max(last.number) FROM ${s}.job AS last WHERE last.schedule = old.schedule))
        LIMIT $2)
      RETURNING number`,
    needs: `SELECT digest, labels, count(*) AS jobs FROM ${s}.job WHERE offer IS NOT NULL GROUP BY digest, labels`,
    seen: `
      INSERT INTO ${s}.worker (id, host, pid, labels, capacity, running, started_at, seen_at, digests)
      VALUES ($1, $2, $3, $4, $5, $6, $7, ${s}.now_ms(), $8)
      ON CONFLICT (id) DO UPDATE SET host = excluded.host, pid = excluded.pid, labels = excluded.labels,
        capacity = excluded.capacity, running = excluded.running, seen_at = excluded.seen_at, digests = excluded.digests`,
    leave: `DELETE FROM ${s}.worker WHERE id = $1`,
    forgetWorkers: `DELETE FROM ${s}.worker WHERE seen_at < ${s}.now_ms() - $1`,
    workers: `SELECT * FROM ${s}.worker ORDER BY started_at, id`,
  } as const;
}

function scheduleSql(s: string) {
  return {
    schedules: `SELECT * FROM ${s}.schedule ORDER BY id`,
    scheduleOf: `SELECT * FROM ${s}.schedule WHERE id = $1`,
    /** A schedule disabled by a person stays disabled when its definition changes. */
    openSchedule: `
      INSERT INTO ${s}.schedule AS known (id, written, digest, planned_to, state) VALUES ($1, $2, $3, $4, 'active')
      ON CONFLICT (id) DO UPDATE SET
        written = excluded.written, digest = excluded.digest, planned_to = excluded.planned_to,
        reason = CASE WHEN known.state = 'disabled' THEN known.reason END,
        state = CASE WHEN known.state = 'disabled' THEN known.state ELSE 'active' END
      WHERE known.written <> excluded.written`,
    planSchedule: `
      UPDATE ${s}.schedule SET planned_to = $3
      WHERE id = $1 AND planned_to = $2 AND state = 'active' RETURNING id`,
    stopSchedule: `UPDATE ${s}.schedule SET state = 'stopped', reason = $2 WHERE id = $1 AND state = 'active'`,
    disableSchedule: `
      INSERT INTO ${s}.schedule (id, written, digest, planned_to, state, reason) VALUES ($1, '', '', 0, 'disabled', $2)
      ON CONFLICT (id) DO UPDATE SET state = 'disabled', reason = excluded.reason`,
    enableSchedule: `
      UPDATE ${s}.schedule SET state = 'active', reason = NULL, digest = $2, planned_to = greatest(planned_to, $3)
      WHERE id = $1`,
  } as const;
}
