// The state of schedules in PostgreSQL: a mark that only one of several schedulers can advance.
import type { NewJob, ScheduleState, Schedules } from '../queue.ts';
import { toScheduleState } from '../read-row.ts';
import type { PgDatabase } from './database.ts';
import type { QueueParts } from './queue-claim.ts';
import { addJob, draftJob } from './queue-job.ts';
import type { PostgresSql } from './sql.ts';

export function postgresSchedules(database: PgDatabase, sql: PostgresSql, parts: () => Promise<QueueParts>): Schedules {
  const change = async (statement: string, values: readonly unknown[]) => {
    await database.rows(statement, values);
  };
  return {
    all: async () => (await database.rows(sql.schedules)).map(toScheduleState),
    open: (begin) => open(database, sql, begin),
    plan: async (id, from, to, jobs) => plan(await parts(), [id, from, to], jobs),
    stop: (id, reason) => change(sql.stopSchedule, [id, reason]),
    disable: (id, reason) => change(sql.disableSchedule, [id, reason]),
    enable: (id, digest, now) => change(sql.enableSchedule, [id, digest, now]),
  };
}

/** Idempotent: a retry after a lost response finds the mark advanced and plans nothing twice. */
function plan(parts: QueueParts, move: readonly [string, number, number], jobs: readonly NewJob[]): Promise<boolean> {
  const drafts = jobs.map(draftJob);
  return parts.database.transaction(async (inside) => {
    if ((await inside.rows(parts.sql.planSchedule, move)).length === 0) return false;
    for (const draft of drafts) await addJob(parts, inside, draft);
    return true;
  });
}

// Nearly always the definition is unchanged: then nothing is written.
async function open(
  database: PgDatabase,
  sql: PostgresSql,
  begin: Omit<ScheduleState, 'state' | 'reason'>,
): Promise<ScheduleState> {
  const { id, written, digest, plannedTo } = begin;
  const [known] = await database.rows(sql.scheduleOf, [id]);
  if (known?.written === written) return toScheduleState(known);
  await database.rows(sql.openSchedule, [id, written, digest, plannedTo]);
  const [row] = await database.rows(sql.scheduleOf, [id]);
  return row ? toScheduleState(row) : { ...begin, state: 'active' };
}
