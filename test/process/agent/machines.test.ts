// Several machines on one PostgreSQL: jobs go where their labels and files are, and a rolling restart loses nothing.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkJobs } from '../../../src/app/doctor/jobs-check.ts';
import { createRuntime, type Runtime } from '../../../src/app/runtime.ts';
import { randomId } from '../../../src/base/ids.ts';
import { trustProject } from '../../../src/config/trust.ts';
import { generateKey, openKeyStore } from '../../../src/distribution/sign/key-store.ts';
import { digestOfTarget } from '../../../src/jobs/pin.ts';
import { newTag } from '../../../src/process/host.ts';
import { openPgBossQueue } from '../../../src/store/postgres/queue.ts';
import type { Job, NewJob, Queue } from '../../../src/store/queue.ts';
import { makeProject } from '../../support/door-support.ts';
import { makeRole, type Started, start } from '../../support/jobs-support.ts';
import { sharedPostgres } from '../../support/server/postgres-shared.ts';
import { count, runCli, temporaryFolder } from '../../support/support.ts';

interface Machine {
  readonly project: string;
  readonly home: string;
  runtime(): Promise<Runtime>;
  cli(...words: string[]): Promise<{ state: string; summary: string; data: Record<string, unknown> }>;
  start(...words: string[]): Started;
}

interface Shared {
  readonly url: string;
  readonly name: string;
  readonly packs: string;
  readonly queue: Queue;
}

async function openShared(t: TestContext): Promise<Shared> {
  const { url } = await sharedPostgres();
  const name = `test_${randomId(6)}`;
  const queue = await openPgBossQueue({ url, schema: `skillwright_${name}` });
  t.after(() => queue.close());
  return { url, name, packs: temporaryFolder(t), queue };
}

/** A home of its own, and a project that shares the jobs of the others. */
function openMachine(t: TestContext, { url, name, packs }: Shared, project: string): Machine {
  const home = realpathSync(temporaryFolder(t));
  const { username, password, host, pathname } = new URL(url);
  const store = { url: `postgres://${username}:\${SECRET}@${host}${pathname}`, name };
  mkdirSync(path.join(home, '.agent'));
  writeFileSync(path.join(home, '.agent', 'config.json'), JSON.stringify({ store, packs }));
  const env = { SECRET: password };
  trustProject(project, home, Date.now());
  return {
    project,
    home,
    runtime: () => createRuntime({ project, home, env, language: 'en' }),
    async cli(...words) {
      const { stdout } = await runCli([...words, '--json'], { cwd: project, home, env });
      return JSON.parse(stdout);
    },
    start: (...words) => start(t, project, words, { HOME: home, ...env }),
  };
}

const SAY = { skill: 'echo', action: 'say', params: { who: 'me' } };

function sayJob(more: Partial<NewJob>): NewJob {
  const retry = { limit: 0, delayMs: 0, maxMs: 0 };
  return {
    role: 'watcher',
    target: 'watcher/echo say',
    payload: JSON.stringify(SAY),
    retry,
    timeoutMs: 60_000,
    ...more,
  };
}

async function addTo({ queue }: Shared, more: Partial<NewJob>): Promise<string> {
  return (await queue.enqueue(sayJob(more))).id;
}

const isOf = (job: string) => (line: Record<string, unknown>) => line.job === job;

test('jobs go to whoever has their labels and files, or can fetch them; what nobody can take says why', async (t) => {
  const shared = await openShared(t);
  const [author, bare] = [openMachine(t, shared, makeRole(t)), openMachine(t, shared, makeProject(t, {}))];
  const { key } = generateKey(author.home, 'default', Date.now());
  openKeyStore(bare.home).trust(key.publicKey, 'author', Date.now());
  const digest = (await digestOfTarget(author.project, 'watcher', SAY)) ?? '';
  assert.equal((await author.cli('jobs', 'publish', 'watcher')).state, 'success');
  assert.equal((await author.cli('grants', 'add', 'watcher/echo', '--action', 'say', '--follow')).state, 'success');
  const granted = await bare.cli('grants', 'add', 'watcher/echo', '--action', 'say', '--digest', digest);
  assert.equal(granted.state, 'success', granted.summary);
  rmSync(path.join(bare.home, '.agent', 'cache', 'packs'), { recursive: true });

  const labelled = ['jobs', 'run', 'watcher/echo', 'say', 'who=me', '--label', 'gpu'];
  const { data: first } = await author.cli(...labelled, '--pin', '--detach');
  assert.match((await author.cli(...labelled)).summary, /no worker is there/, 'nobody would ever answer');
  const onAuthor = author.start();
  await onAuthor.until('started');
  const blocked = async (id: string) => {
    const { data } = await author.cli('jobs', 'show', id);
    return String((data.job as { blocked: string | null }).blocked);
  };
  assert.match(await blocked(String(first.job)), /labels it asks for \(gpu\)/);
  const onBare = bare.start('--label', 'gpu', '--label', 'eu', '--workers', '3');
  await onBare.until('pack fetched', (line) => line.digest === digest && line.signer === key.id);
  await onBare.until('job done', isOf(String(first.job)));

  // Edited on one machine: what is pinned to the old files goes to the other, which can no longer be asked for the new ones.
  const script = path.join(author.project, 'agents/watcher/.claude/skills/echo.py');
  writeFileSync(script, `${readFileSync(script, 'utf8')}#`);
  const edited = (await digestOfTarget(author.project, 'watcher', SAY)) ?? '';
  const [old, young] = [await addTo(shared, { digest }), await addTo(shared, { digest: edited })];
  const nowhere = await addTo(shared, { digest: `sha256:${'0'.repeat(64)}` });
  await Promise.all([onBare.until('job done', isOf(old)), onAuthor.until('job done', isOf(young))]);
  assert.match(await blocked(nowhere), /has the files it is pinned to/);
  const { data: seen } = await author.cli('jobs', 'workers');
  const workers = seen.workers as { labels: string[]; capacity: number; host: string }[];
  assert.deepEqual(workers.map(({ labels, capacity }) => `${labels} ${capacity}`).sort(), [' 2', 'gpu,eu 3']);
  assert.deepEqual(
    (seen.unmet as { jobs: number }[]).map(({ jobs }) => jobs),
    [1],
  );
  const [jobs] = await checkJobs(await bare.runtime());
  assert.deepEqual([jobs?.ok, /1 job waits/.test(jobs?.detail ?? '')], [false, true], 'doctor');
  for (const one of [onAuthor, onBare]) assert.equal(await one.end('SIGTERM'), 0);
  assert.equal(readdirSync(bare.project).includes('agents'), false);
});

test('a worker on another machine neither ends nor forgets what a silent one left there', async (t) => {
  const { queue, ...shared } = await openShared(t);
  const machine = openMachine(t, { ...shared, queue }, makeRole(t));
  assert.equal((await machine.cli('grants', 'add', 'watcher/echo', '--action', 'say')).state, 'success');
  const id = (await queue.enqueue(sayJob({ retry: { limit: 1, delayMs: 0, maxMs: 0 } }))).id;
  const [here, elsewhere] = [newTag(), 'elsewhere-1'];
  for (const tag of [here, elsewhere]) {
    const only = tag === elsewhere ? id : (await queue.enqueue(sayJob({}))).id;
    assert.equal((await queue.claim({ worker: 'gone', tag, leaseMs: 50, limit: 1, only })).length, 1);
  }
  const started = machine.start();
  const { tag } = await started.until('former processes not seen', isOf(id));
  assert.equal(tag, elsewhere);
  await started.until('job done', isOf(id));
  while ((await queue.leftBehind()).includes(here)) await sleep(50);
  assert.deepEqual(await queue.leftBehind(), [elsewhere]);
  await started.end('SIGTERM');
});

const JOBS = count(400, 12);
const PROCESSES = 3;
const ROUNDS = count(4, 1);

const LEDGER = `import json, os, pathlib, sys, time, uuid
request = json.load(sys.stdin)
time.sleep(0.3)
name = request["context"]["request_id"] + "-" + uuid.uuid4().hex
pathlib.Path(os.environ["SKILL_OUTPUT_DIR"], name + ".txt").write_text(name)
print(json.dumps({"success": True, "action": request["action"], "data": {"name": name}}))
`;

test('a rolling restart while jobs flow: nothing lost, nothing completed twice, no attempt spent', async (t) => {
  const shared = await openShared(t);
  const project = makeProject(t, {
    'agents/keeper/agent.yaml': 'description: Keeps a ledger\n',
    'agents/keeper/.claude/skills/ledger.py': LEDGER,
  });
  const machine = openMachine(t, shared, project);
  assert.equal((await machine.cli('grants', 'add', 'keeper/ledger', '--action', 'note')).state, 'success');
  const target = { skill: 'ledger', action: 'note', params: {} };
  const digest = (await digestOfTarget(project, 'keeper', target)) ?? '';
  const ids: string[] = [];
  const add = async () => {
    const job = sayJob({ role: 'keeper', target: 'keeper/ledger note', payload: JSON.stringify(target) });
    ids.push((await shared.queue.enqueue({ ...job, ...(ids.length % 2 === 0 && { digest }) })).id);
  };
  // Some may end what they have, others must give it back at once.
  const begin = (at: number) => machine.start('--workers', '2', ...(at % 2 === 0 ? ['--drain', '0'] : []));
  const all = Array.from({ length: PROCESSES }, (_, at) => begin(at));
  const running = [...all];
  await Promise.all(running.map((one) => one.until('started')));
  let isOver = false;
  const flow = (async () => {
    while (ids.length < JOBS || !isOver) {
      await add();
      await sleep(count(100, 500));
    }
  })();
  for (let turn = 0; turn < ROUNDS * PROCESSES; turn++) {
    const at = turn % PROCESSES;
    const [old, next] = [running[at], begin(at + Math.floor(turn / PROCESSES))];
    await old?.until('job started');
    assert.equal(await old?.end('SIGTERM'), 0);
    await next.until('started');
    running[at] = next;
    all.push(next);
  }
  isOver = true;
  await flow;
  const jobs = await untilEnded(shared.queue, ids.length);
  for (const one of running) assert.equal(await one.end('SIGTERM'), 0);

  assert.deepEqual(new Set(jobs.map(({ id }) => id)), new Set(ids));
  assert.deepEqual([...new Set(jobs.map(({ state, attempt }) => `${state} ${attempt}`))], ['done 1']);
  const events = all.flatMap((one) => one.log());
  const done = events.flatMap(({ event, job }) => (event === 'job done' ? [job] : []));
  assert.equal(new Set(done).size, done.length, 'completed twice');
  assert.equal(done.length, ids.length);
  const ledger = new Set(readdirSync(path.join(project, 'mybox/output')).map((name) => name.replace('.txt', '')));
  for (const job of jobs) assert.ok(ledger.has(nameOf(job)), `${job.id} is done, but not in the ledger`);
  const given = events.filter(({ event }) => event === 'job released').length;
  t.diagnostic(`${ids.length} jobs, ${all.length - PROCESSES} restarts, ${given} given back`);
});

async function untilEnded(queue: Queue, many: number): Promise<readonly Job[]> {
  for (;;) {
    const jobs = await queue.history({ limit: many + 1 });
    if (jobs.every(({ state }) => state !== 'queued' && state !== 'running')) return jobs;
    await sleep(100);
  }
}

function nameOf({ result = '{}' }: Job): string {
  const { data } = JSON.parse(result) as { data?: { response?: { data?: { name?: string } } } };
  return String(data?.response?.data?.name);
}
