// Several `start` on one project, killed again and again with scheduler and workers: each moment becomes one finished job.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { schedulesOf } from '../../../src/app/job/open-jobs.ts';
import { listRoles } from '../../../src/registry/role/role.ts';
import type { Job, Queue } from '../../../src/store/queue.ts';
import { openQueue } from '../../../src/store/sqlite/queue.ts';
import { home, makeProject } from '../../support/door-support.ts';
import { cli, grant, type Started, start } from '../../support/jobs-support.ts';
import { count, isLong } from '../../support/support.ts';

const JOBS = count(500, 12);
const APART_MS = count(100, 250);
const KILLED = count(3, 1);
const KILLS = count(8, 1);
/** As `start` has it. */
const LEASE_MS = 10_000;

/** Each time it is carried out it leaves one more line, under a name of its own. */
const LEDGER = `import json, os, pathlib, sys, time, uuid
request = json.load(sys.stdin)
line = request["context"]["request_id"] + " " + uuid.uuid4().hex
time.sleep(0.2)
pathlib.Path(os.environ["SKILL_OUTPUT_DIR"], line.replace(" ", "-") + ".txt").write_text(line)
print(json.dumps({"success": True, "action": request["action"], "data": {"line": line}}))
`;

test('SIGKILL of whole `start` processes: no job lost, none completed twice, all taken over, nothing left running', async (t) => {
  const project = await makeKeeper(t);
  const queue = openQueue({ home, project });
  t.after(() => queue.close());
  await beginSchedule(project, queue);
  const killed = new Map<Started, number>();
  const over = new AbortController();
  // One is spared, so that there is always somebody to take over.
  const spared = start(t, project, ['--workers', '2']);
  const shifts = Array.from({ length: KILLED }, () => killAgainAndAgain(t, project, killed, over.signal));
  const isEnough = async () => (await queue.stats()).counts.done >= JOBS && killed.size >= KILLS;
  while (!(await isEnough())) await sleep(100);
  over.abort();
  await Promise.all(shifts);
  const jobs = await untilEnded(queue);
  // What the killed ones left is ended by the one that is there, also where a job was taken up before.
  while ((await queue.leftBehind()).length > 0) await sleep(50);
  assert.equal(await spared.end('SIGTERM'), 0);

  assert.deepEqual([jobs.length, new Set(jobs.map(({ occurrence }) => occurrence)).size], [JOBS, JOBS]);
  assert.deepEqual([...new Set(jobs.map(({ state }) => state))], ['done']);
  const lines = readLedger(project);
  for (const job of jobs) assert.ok(lines.has(lineOf(job)), `${job.id} is done, but not in the ledger`);
  const processes = [spared, ...killed.keys()];
  const done = processes.flatMap((one) => one.log().flatMap(({ event, job }) => (event === 'job done' ? [job] : [])));
  assert.equal(new Set(done).size, done.length, 'completed twice');
  const delays = redeliveries(processes, killed);
  const more = `${lines.size - JOBS} carried out once more, ${delays.length} taken over, the last after ${delays.at(-1)} ms`;
  t.diagnostic(`${JOBS} jobs, ${killed.size} kills, ${more}`);
  // A lease that ran out is noticed by a look every few seconds, not by luck; a busy machine looks late.
  if (isLong()) assert.ok((delays.at(-1) ?? 0) <= 3 * LEASE_MS, `taken over after ${delays.at(-1)} ms`);
  assert.deepEqual(runningIn(project), []);
});

async function makeKeeper(t: TestContext): Promise<string> {
  const begin = Date.now();
  const moments = Array.from({ length: JOBS }, (_, at) => new Date(begin + at * APART_MS).toISOString());
  const schedule = `
  - id: often
    at: ${JSON.stringify(moments)}
    skill: ledger
    action: note
    overlap: parallel
    misfire: {mode: all, limit: 1000}
    retry: {limit: 100, delay: 1s}
    follow: latest
`;
  const project = makeProject(t, {
    'agents/keeper/agent.yaml': `description: Keeps a ledger\nschedule:${schedule}`,
    'agents/keeper/.claude/skills/ledger.py': LEDGER,
  });
  await grant(project, 'keeper/ledger', 'note');
  assert.equal((await cli(project, ['trust', '--yes'])).code, 0);
  return project;
}

/** As if it had been there before its first moment. */
async function beginSchedule(project: string, queue: Queue): Promise<void> {
  const { schedules, diagnostics } = schedulesOf(await listRoles(project));
  const [schedule] = schedules;
  assert.ok(schedule, JSON.stringify(diagnostics));
  await queue.schedules.open({ id: schedule.id, written: schedule.written, digest: '', plannedTo: 0 });
}

async function killAgainAndAgain(t: TestContext, project: string, killed: Map<Started, number>, over: AbortSignal) {
  while (!over.aborted) {
    const started = start(t, project, ['--workers', '2']);
    // Once all are done nothing is left to start.
    await Promise.race([started.until('job started').catch(() => {}), once(over, 'abort')]);
    await sleep(Math.random() * count(4_000, 300), undefined, { signal: over }).catch(() => {});
    await started.end('SIGKILL');
    killed.set(started, Date.now());
    if (!isLong()) return;
  }
}

async function untilEnded(queue: Queue): Promise<readonly Job[]> {
  for (;;) {
    const jobs = await queue.history({ limit: 2 * JOBS });
    if (jobs.length >= JOBS && jobs.every(({ state }) => state !== 'queued' && state !== 'running')) return jobs;
    await sleep(100);
  }
}

function readLedger(project: string): Set<string> {
  const folder = path.join(project, 'mybox/output');
  return new Set(readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8')));
}

function lineOf({ result = '{}' }: Job): string {
  return String(
    (JSON.parse(result) as { data?: { response?: { data?: { line?: string } } } }).data?.response?.data?.line,
  );
}

/** From the death of a process until another one has begun its job. */
function redeliveries(processes: readonly Started[], killed: ReadonlyMap<Started, number>): number[] {
  const starts = processes.flatMap((by) =>
    by
      .log()
      .flatMap(({ event, job, ts }) => (event === 'job started' ? [{ by, job, at: Date.parse(String(ts)) }] : [])),
  );
  return [...Map.groupBy(starts, ({ job }) => job).values()]
    .flatMap((lives) => {
      const inOrder = lives.toSorted((a, b) => a.at - b.at);
      return inOrder.slice(1).map(({ at }, before) => {
        const former = inOrder[before]?.by;
        return at - ((former && killed.get(former)) ?? at);
      });
    })
    .sort((a, b) => a - b);
}

/** Processes that carry the name of the project in their command line. */
function runningIn(project: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        return '';
      }
    })
    .filter((command) => command.includes(project));
}
