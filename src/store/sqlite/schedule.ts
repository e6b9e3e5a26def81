// The state of schedules in SQLite: a mark that only one of several schedulers can advance.
import type { Clock } from '../../base/clock.ts';
import type { ScheduleState, Schedules } from '../queue.ts';
import { toScheduleState } from '../read-row.ts';
import type { Awaitable } from '../store.ts';
import type { Database } from './database.ts';
import { addJob } from './queue-job.ts';
import { QUEUE_SQL } from './queue-sql.ts';

export function sqliteSchedules(
  database: Database,
  clock: Clock,
  attempt: <T>(work: () => T) => Awaitable<T>,
): Schedules {
  return {
    all: () => attempt(() => database.rows(QUEUE_SQL.schedules).map(toScheduleState)),
    open: (begin) => attempt(() => open(database, begin)),
    plan: (id, from, to, jobs) =>
      attempt(() =>
        database.transaction(() => {
          if (database.rowsNamed(QUEUE_SQL.planSchedule, { id, from, to }).length === 0) return false;
          for (const job of jobs) addJob(database, job, clock.now());
          return true;
        }),
      ),
    stop: (id, reason) => attempt(() => database.runNamed(QUEUE_SQL.stopSchedule, { id, reason })),
    disable: (id, reason) => attempt(() => database.runNamed(QUEUE_SQL.disableSchedule, { id, reason })),
    enable: (id, digest, now) => attempt(() => database.runNamed(QUEUE_SQL.enableSchedule, { id, digest, now })),
  };
}

// Nearly always the definition is unchanged: then nothing is written.
function open(database: Database, begin: Omit<ScheduleState, 'state' | 'reason'>): ScheduleState {
  const { id, written, digest, plannedTo } = begin;
  const [known] = database.rows(QUEUE_SQL.scheduleOf, id);
  if (known?.written === written) return toScheduleState(known);
  return database.transaction(() => {
    database.runNamed(QUEUE_SQL.openSchedule, { id, written, digest, plannedTo });
    const [row] = database.rows(QUEUE_SQL.scheduleOf, id);
    return row ? toScheduleState(row) : { ...begin, state: 'active' };
  });
}
