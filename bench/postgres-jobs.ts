// A no-op Python skill of a role, in one process: through `start` with one worker on PostgreSQL, and by `call` beside it.
// Started by suite-postgres.ts; prints milliseconds for each job and each call, batch by batch, and the connections opened.
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openJobQueue } from '../src/app/job/open-jobs.ts';
import { startJobs } from '../src/app/job/start.ts';
import { keepState } from '../src/app/keep-state.ts';
import { openDoor } from '../src/app/open-door.ts';
import { createRuntime, type Runtime } from '../src/app/runtime.ts';
import { removeTree } from '../src/base/files.ts';
import { trustProject } from '../src/config/trust.ts';
import { perform } from '../src/door/perform.ts';
import { writePayload } from '../src/jobs/payload.ts';
import type { NewJob, Queue } from '../src/store/queue.ts';
import { ask } from '../test/support/server/postgres-server.ts';

export interface JobsOrder {
  readonly url: string;
  readonly batches: number;
  readonly size: number;
}

export interface JobsFigures {
  readonly jobs: readonly number[];
  readonly calls: readonly number[];
  readonly connections: number;
}

const NOOP =
  'import json, sys\nr = json.load(sys.stdin)\nprint(json.dumps({"success": True, "action": r["action"]}))\n';
const JOB: NewJob = {
  role: 'bench',
  target: 'bench/noop go',
  payload: writePayload({ skill: 'noop', action: 'go', params: {} }),
  retry: { limit: 0, delayMs: 0, maxMs: 0 },
  timeoutMs: 60_000,
};
const SESSIONS = 'SELECT sessions FROM pg_stat_database WHERE datname = current_database()';
/** Statistics of the server are that late at most. */
const STATISTICS_MS = 1_500;

if (process.argv[2] !== undefined) {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'skillwright-bench-jobs-')));
  try {
    process.stdout.write(JSON.stringify(await measureJobs(folder, JSON.parse(process.argv[2]))));
  } finally {
    removeTree(folder);
  }
}

async function measureJobs(folder: string, { url, batches, size }: JobsOrder): Promise<JobsFigures> {
  const runtime = await plantProject(folder, url);
  const kept = keepState(runtime);
  const queue = await openJobQueue(runtime);
  const worker = startWorker(runtime);
  const figures = { jobs: [] as number[], calls: [] as number[] };
  let before = Number.NaN;
  for (let batch = -1; batch < batches; batch++) {
    if (batch === 0) before = await countSessions(url);
    const jobs = (await runBatch(queue, worker, size)) / size;
    const calls = (await callBatch(runtime.derive({ kept }), size)) / size;
    if (batch < 0) continue;
    figures.jobs.push(jobs);
    figures.calls.push(calls);
  }
  // One of them counts itself.
  const connections = (await countSessions(url)) - before - 1;
  await worker.end();
  await Promise.all([queue.close(), kept.close()]);
  return { ...figures, connections };
}

async function plantProject(folder: string, url: string): Promise<Runtime> {
  const [project, home] = [path.join(folder, 'project'), path.join(folder, 'home')];
  mkdirSync(path.join(project, 'agents', 'bench', '.claude', 'skills'), { recursive: true });
  mkdirSync(path.join(home, '.agent'), { recursive: true });
  writeFileSync(path.join(project, 'agents', 'bench', 'agent.yaml'), 'skills:\n  - name: noop\n');
  writeFileSync(path.join(project, 'agents', 'bench', '.claude', 'skills', 'noop.py'), NOOP);
  const { username, password, host, pathname } = new URL(url);
  const store = { url: `postgres://${username}:\${SECRET}@${host}${pathname}`, name: 'bench_jobs' };
  writeFileSync(path.join(home, '.agent', 'config.json'), JSON.stringify({ store }));
  trustProject(project, home, Date.now());
  const env = { PATH: process.env.PATH ?? '', SECRET: password };
  return await createRuntime({ project, home, env, language: 'en' });
}

interface Worker {
  done(): number;
  end(): Promise<void>;
}

function startWorker(runtime: Runtime): Worker {
  const [stop, abort] = [new AbortController(), new AbortController()];
  let done = 0;
  const log = (event: string, facts: object) => {
    if (event === 'job done') done++;
    if (/^job (?!done|started)/.test(event)) throw new Error(`${event}: ${JSON.stringify(facts)}`);
  };
  const stopping = { stop: stop.signal, abort: abort.signal, drainMs: 10_000 };
  const ended = startJobs(runtime, { ...stopping, workers: 1, labels: [], log, yes: true });
  return {
    done: () => done,
    async end() {
      stop.abort();
      await ended;
    },
  };
}

async function runBatch(queue: Queue, worker: Worker, size: number): Promise<number> {
  await queue.setPaused(true);
  for (let at = 0; at < size; at++) await queue.enqueue(JOB);
  const goal = worker.done() + size;
  const startedAt = performance.now();
  await queue.setPaused(false);
  while (worker.done() < goal) await sleep(5);
  return performance.now() - startedAt;
}

async function callBatch(runtime: Runtime, size: number): Promise<number> {
  const startedAt = performance.now();
  for (let at = 0; at < size; at++) {
    const door = openDoor(runtime, { kind: 'call', request: 'bench/noop go', version: '0', yes: true });
    const outcome = await perform(
      { kind: 'call', skill: 'bench/noop', action: 'go', params: {}, context: door.context },
      door,
    );
    door.finish(outcome);
    if (outcome.state !== 'success') throw new Error(outcome.summary);
  }
  return performance.now() - startedAt;
}

async function countSessions(url: string): Promise<number> {
  await sleep(STATISTICS_MS);
  return Number((await ask(url, SESSIONS))[0]?.sessions);
}
