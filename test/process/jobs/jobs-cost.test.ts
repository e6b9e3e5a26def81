// What a worker does not do again for every job: connect to its server, read the role, hash the skill more than the decision needs.
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readFileSync, realpathSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { executeJob } from '../../../src/app/job/execute-job.ts';
import { openRoleFiles } from '../../../src/app/job/role-files.ts';
import { createRuntime, type Runtime } from '../../../src/app/runtime.ts';
import { trustProject } from '../../../src/config/trust.ts';
import { writePayload } from '../../../src/jobs/payload.ts';
import { digestOfTarget } from '../../../src/jobs/pin.ts';
import { findRole } from '../../../src/registry/role/role.ts';
import { CLOCK_STEP_MS } from '../../../src/registry/witness.ts';
import { openPgBossQueue } from '../../../src/store/postgres/queue.ts';
import type { Job, NewJob } from '../../../src/store/queue.ts';
import { home } from '../../support/door-support.ts';
import { makeRole, start } from '../../support/jobs-support.ts';
import { openCutLine } from '../../support/server/cut-line.ts';
import { sharedPostgres } from '../../support/server/postgres-shared.ts';
import { runCli, temporaryFolder } from '../../support/support.ts';
import { startWatch } from '../../support/watch-reads.ts';

/** What a worker may open in all: two pools of four, one that listens, one that looks for namesakes. */
const CONNECTIONS = 10;
const SAY = { skill: 'echo', action: 'say', params: { who: 'me' } };

function jobOf(action = 'say', more: Partial<NewJob> = {}): NewJob {
  const payload = writePayload({ ...SAY, action, ...(action !== 'say' && { params: {} }) });
  const retry = { limit: 0, delayMs: 0, maxMs: 0 };
  return { role: 'watcher', target: `watcher/echo ${action}`, payload, retry, timeoutMs: 60_000, ...more };
}

async function execute(runtime: Runtime, more: Partial<NewJob> = {}, files = openRoleFiles(runtime)) {
  const job = { ...jobOf('say', more), id: 'j', attempt: 1, createdAt: 0, dueAt: 0 } as unknown as Job;
  const place = { tag: 'jobs-cost', signal: new AbortController().signal };
  return await executeJob(runtime, job, place, { yes: true, digestOf: files.digestOf });
}

test('the connections of a worker do not grow with the jobs it runs, nor with the questions they ask', async (t) => {
  const { url } = await sharedPostgres();
  const line = await openCutLine(url);
  t.after(() => line.close());
  const project = makeRole(t);
  const own = realpathSync(temporaryFolder(t));
  const { username, password, host, pathname } = new URL(line.url);
  const store = { url: `postgres://${username}:\${SECRET}@${host}${pathname}`, name: 'jobs_cost' };
  mkdirSync(path.join(own, '.agent'));
  writeFileSync(path.join(own, '.agent', 'config.json'), JSON.stringify({ store }));
  const env = { SECRET: password };
  const { code, stdout } = await runCli(['grants', 'add', 'watcher/echo', '--action', 'say'], {
    cwd: project,
    home: own,
    env,
  });
  assert.equal(code, 0, stdout);
  trustProject(project, own, Date.now());
  const queue = await openPgBossQueue({ url, schema: 'skillwright_jobs_cost' });
  t.after(() => queue.close());
  const worker = start(t, project, ['--workers', '1'], { HOME: own, ...env });
  await worker.until('started');
  const run = async (count: number) => {
    for (let at = 0; at < count; at++) {
      // Nothing allows the second one: it asks, over the same server.
      const [done, asks] = [await queue.enqueue(jobOf('say')), await queue.enqueue(jobOf('report'))];
      await worker.until('job done', ({ job }) => job === done.id);
      await worker.until('job waiting', ({ job }) => job === asks.id);
    }
  };
  await run(12);
  assert.ok(line.opened() <= CONNECTIONS, String(line.opened()));
  const [used] = (await queue.history({ states: ['done'] })).slice(-1);
  assert.equal(used?.target, 'watcher/echo say');
  assert.equal(await worker.end('SIGTERM'), 0);
});

test('a job reads the role when it changed and not again, and hashes its skill once', async (t) => {
  const { runtime, role, script } = await openProject(t);
  assert.equal((await execute(runtime)).kind, 'done');
  const jobs = 3;
  const { files, stop } = startWatch('pass');
  try {
    for (let at = 0; at < jobs; at++) assert.equal((await execute(runtime)).kind, 'done');
  } finally {
    stop();
  }
  assert.equal(files.get(role), undefined, 'the role is known');
  assert.equal(files.get(script), jobs * statSync(script).size, 'once for the decision');
});

test('a role that changed is read at once, also where its size and date are those it had', async (t) => {
  const { runtime, role } = await openProject(t);
  const limitOf = async () => (await findRole(runtime.project, 'watcher'))?.maxTurns;
  appendFileSync(role, 'max_turns: 3\n');
  assert.equal(await limitOf(), 3);
  await sleep(CLOCK_STEP_MS + 100);
  assert.equal(await limitOf(), 3);
  // Written in place, so that nothing but the change time tells.
  const { atime, mtime } = statSync(role);
  writeFileSync(role, readFileSync(role, 'utf8').replace('max_turns: 3', 'max_turns: 4'));
  utimesSync(role, atime, mtime);
  assert.equal(await limitOf(), 4);
});

test('a pinned job does not run other files, even where the worker remembers the old ones', async (t) => {
  const { runtime, script } = await openProject(t);
  const digest = (await digestOfTarget(runtime.project, 'watcher', SAY)) ?? '';
  const files = openRoleFiles(runtime);
  const folder = path.dirname(script);
  const known = files.digestOf({ folder });
  const remembering = { ...files, digestOf: () => known };
  assert.equal((await execute(runtime, { digest }, remembering)).kind, 'done');
  appendFileSync(script, '\n# changed after the job was taken\n');
  assert.equal((await execute(runtime, { digest }, remembering)).kind, 'unfit');
  // Control: without a pin the same files run.
  assert.equal((await execute(runtime, {}, remembering)).kind, 'done');
});

/** Its files are old enough that their times prove whether they changed. */
async function openProject(t: TestContext) {
  const project = realpathSync(makeRole(t));
  const runtime = await createRuntime({ project, home, env: { PATH: process.env.PATH }, language: 'en' });
  await sleep(CLOCK_STEP_MS + 100);
  const folder = path.join(project, 'agents', 'watcher');
  return { runtime, role: path.join(folder, 'agent.yaml'), script: path.join(folder, '.claude/skills/echo.py') };
}
