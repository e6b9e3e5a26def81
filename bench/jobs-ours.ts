// The embedded queue at work, and beside it the least any durable queue on SQLite has to do: two commits for each job.
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { stateFile } from '../src/store/location.ts';
import type { NewJob, Queue } from '../src/store/queue.ts';
import { openQueue } from '../src/store/sqlite/queue.ts';
import { SETTINGS } from '../src/store/sqlite/sql.ts';

export const JOB: NewJob = {
  role: 'role',
  target: 'role/skill action',
  payload: JSON.stringify({ skill: 'build_analysis', action: 'daily_briefing', params: { days: 7 } }),
  retry: { limit: 3, delayMs: 1_000, maxMs: 60_000 },
  timeoutMs: 300_000,
};
const RESULT = JSON.stringify({ state: 'success', data: { items: 10 }, meta: { time: 0.1 } });

export interface Contender {
  readonly name: string;
  /** Not timed. */
  fill(jobs: number): Promise<void>;
  /** Every job that was filled in, to its end. */
  work(): Promise<void>;
  close(): Promise<void>;
}

export function ours(name: string, folder: string, limit: number, finished = 0): Contender {
  const place = { home: folder, project: folder };
  const queue = openQueue(place);
  if (finished > 0) addFinished(stateFile(place), finished);
  return {
    name,
    async fill(jobs) {
      for (let at = 0; at < jobs; at++) await queue.enqueue(JOB);
    },
    work: () => workOff(queue, limit),
    close: async () => queue.close(),
  };
}

async function workOff(queue: Queue, limit: number): Promise<void> {
  for (;;) {
    const jobs = await queue.claim({ worker: 'bench', tag: 'bench', leaseMs: 10_000, limit });
    if (jobs.length === 0) return;
    for (const { id, fence } of jobs) await queue.complete({ id, fence }, { result: RESULT });
  }
}

/** As if that many had been worked off before. */
function addFinished(file: string, count: number): void {
  const database = new DatabaseSync(file);
  const add = database.prepare(`
    INSERT INTO job (id, state, priority, due_at, attempt, fence, created_at, started_at, ended_at, retry_limit,
      retry_delay, retry_max, timeout_ms, role, target, payload, result)
    VALUES (?4, 'done', 0, ?1, 1, 1, ?1, ?1, ?1, 3, 1000, 60000, 300000, 'role', 'role/skill action', ?2, ?3)`);
  database.exec('BEGIN');
  for (let at = 0; at < count; at++) add.run(at, JOB.payload, RESULT, `finished-${at}`);
  database.exec('COMMIT');
  database.close();
}

export function rawCommits(folder: string): Contender {
  const database = new DatabaseSync(path.join(folder, 'raw.db'));
  database.exec(`PRAGMA journal_mode = WAL; ${SETTINGS}
    CREATE TABLE job (number INTEGER PRIMARY KEY, state TEXT NOT NULL, payload TEXT NOT NULL, result TEXT)`);
  const add = database.prepare("INSERT INTO job (state, payload) VALUES ('queued', ?)");
  const begin = database.prepare("UPDATE job SET state = 'running' WHERE number = ?");
  const end = database.prepare("UPDATE job SET state = 'done', result = ? WHERE number = ?");
  let [filled, done] = [0, 0];
  return {
    name: 'two raw commits',
    async fill(jobs) {
      for (let at = 0; at < jobs; at++) add.run(JOB.payload);
      filled += jobs;
    },
    async work() {
      while (done < filled) {
        begin.run(++done);
        end.run(RESULT, done);
      }
    },
    close: async () => database.close(),
  };
}
