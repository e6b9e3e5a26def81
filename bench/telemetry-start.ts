// One contestant of the telemetry suite: `skillwright start` in a project of its own, given jobs that are runs of the agent.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { newJob, openJobQueue } from '../src/app/job/open-jobs.ts';
import { createRuntime } from '../src/app/runtime.ts';
import type { NewJob, Queue } from '../src/store/queue.ts';
import { skillwright } from './peer.ts';

export interface Worker {
  /** Milliseconds a job took, from the start of the first one to the end of the last. */
  work(jobs: number): Promise<number>;
  /** Milliseconds of processor time of all its threads so far, without the scripts it started. */
  cpu(): number;
  stop(): Promise<void>;
}

export interface Place {
  readonly project: string;
  readonly home: string;
}

const LOOK_MS = 20;
const READS = 8;
const SCRIPTS = 2;
export const RUN_TEXT = `${READS} files read, ${SCRIPTS} scripts, ${READS + SCRIPTS + 1} turns`;
/** The same words outside of the role: its skill is not there, so that nothing is waited for. */
export const COMMAND_TEXT = `${READS} files read, no script, ${READS + SCRIPTS + 1} turns`;

const ROLE = `description: Says a word
skills:
  - name: say
    entry: .claude/skills/say.sh
    actions:
      word: {}
allowed_tools: [Read, run_script]
`;
const SCRIPT = `cat >/dev/null\necho '{"success": true, "action": "word", "data": {}}'\n`;
const reads = Array.from({ length: READS }, (_, at) => ({
  action: { type: 'use_tool', tool: 'read_file', args: { path: `${at}.txt` } },
}));
const scripts = Array.from({ length: SCRIPTS }, () => ({
  action: { type: 'invoke_skill', skill: 'watcher/say', action: 'word', params: {} },
}));
const ANSWERS = [...reads, ...scripts, { action: { type: 'final_answer', content: 'done' } }];

/** A role with a script that may run unasked, and what the model says. */
export function makePlace(root: string, folder: string): Place {
  const place = { project: path.join(folder, 'project'), home: path.join(folder, 'home') };
  const role = path.join(place.project, 'agents', 'watcher');
  mkdirSync(path.join(role, '.claude', 'skills'), { recursive: true });
  mkdirSync(place.home);
  writeFileSync(path.join(role, 'agent.yaml'), ROLE);
  writeFileSync(path.join(role, '.claude', 'skills', 'say.sh'), SCRIPT);
  for (let at = 0; at < READS; at++) writeFileSync(path.join(place.project, `${at}.txt`), String(at));
  writeFileSync(path.join(place.project, 'case.json'), JSON.stringify(ANSWERS));
  for (const args of [
    ['grants', 'add', 'watcher/say', '--action', 'word'],
    ['trust', '--yes'],
  ]) {
    const { status, stderr } = spawnSync(process.execPath, [skillwright(root), ...args], inPlace(place));
    if (status !== 0) throw new Error(stderr);
  }
  return place;
}

export async function startWorker(root: string, place: Place, env: Record<string, string>): Promise<Worker> {
  const args = [skillwright(root), 'start', '--workers', '1', '--model', 'mock:case.json'];
  const child = spawn(process.execPath, args, { ...inPlace(place, env), stdio: ['ignore', 'ignore', 'pipe'] });
  const until = readLog(child);
  const runtime = await createRuntime({ ...place, env: {}, language: 'en' });
  const queue = await openJobQueue(runtime);
  const retry = { limit: 0, delayMs: 0, maxMs: 0 };
  const job = newJob({ role: 'watcher', target: { prompt: 'Say two words.' }, retry }, runtime);
  await until('started', 1);
  return {
    work: (jobs) => workOff(queue, job, jobs, until),
    cpu: () => processorTime(child.pid),
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await queue.close();
    },
  };
}

async function workOff(queue: Queue, job: NewJob, jobs: number, until: Until): Promise<number> {
  for (let at = 0; at < jobs; at++) await queue.enqueue(job);
  const [started, done] = await Promise.all([until('job started', jobs), until('job done', jobs)]);
  return ((done.at(-1) ?? Number.NaN) - (started[0] ?? Number.NaN)) / jobs;
}

/** The moments of the next so many lines of this kind. */
type Until = (event: string, count: number) => Promise<readonly number[]>;

function readLog(child: ChildProcess): Until {
  const seen = new Map<string, number[]>();
  const lines = createInterface({ input: child.stderr as NodeJS.ReadableStream });
  lines.on('line', (line) => {
    const { event, ts } = JSON.parse(line) as { event: string; ts: string };
    if (/failed|waiting|telemetry/.test(event)) throw new Error(line);
    seen.set(event, [...(seen.get(event) ?? []), Date.parse(ts)]);
  });
  return async (event, count) => {
    for (;;) {
      const moments = seen.get(event) ?? [];
      if (moments.length >= count) return moments.splice(0, count);
      if (child.exitCode !== null) throw new Error(`ended before ${event}`);
      await sleep(LOOK_MS);
    }
  };
}

/** As Linux counts it for each thread; NaN elsewhere. */
function processorTime(pid: number | undefined): number {
  if (process.platform !== 'linux') return Number.NaN;
  const threads = readdirSync(`/proc/${pid}/task`);
  const spent = threads.map((one) => Number(readFileSync(`/proc/${pid}/task/${one}/schedstat`, 'utf8').split(' ')[0]));
  return spent.reduce((sum, one) => sum + one, 0) / 1e6;
}

function inPlace({ project, home }: Place, env: Record<string, string> = {}) {
  return { cwd: project, env: { PATH: process.env.PATH ?? '', HOME: home, ...env }, encoding: 'utf8' as const };
}
