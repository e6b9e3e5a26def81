// One line in the user's settings, and results, usage and jobs are shared through PostgreSQL by every machine that has it.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { randomId } from '../../src/base/ids.ts';
import { makeRole, start } from '../support/jobs-support.ts';
import { sharedPostgres } from '../support/server/postgres-shared.ts';
import { runCli, temporaryFolder } from '../support/support.ts';

test('a job queued on one machine is run by `start` on another, and both see its history', async (t) => {
  const project = makeRole(t);
  const store = await storeSettings();
  const [here, there] = [machine(t, project, store), machine(t, project, store)];
  for (const { run } of [here, there]) {
    await run(['trust', '--yes']);
    await run(['grants', 'add', 'watcher/echo', '--action', 'say']);
  }
  const queued = await here.run(['jobs', 'run', 'watcher/echo', 'say', 'who=me', '--detach']);
  assert.equal(queued.state, 'success', JSON.stringify(queued));
  const [waiting] = jobsOf(await there.run(['jobs', 'history']));
  assert.equal(waiting?.state, 'queued');
  const started = start(t, project, [], { HOME: there.home, SECRET: await there.password() });
  await started.until('job done');
  await started.end('SIGTERM');
  assert.deepEqual(
    jobsOf(await here.run(['jobs', 'history'])).map(({ state }) => state),
    ['done'],
  );
  assert.deepEqual(databasesIn(here.home), [], 'no queue and no results in a file of this machine');
});

test('doctor names the store, its version and whether it can be reached, and never a password', async (t) => {
  const project = temporaryFolder(t);
  const store = await storeSettings();
  const { run, secret } = machine(t, project, store);
  const empty = storeCheck(await run(['doctor']));
  assert.equal(empty.ok, true);
  assert.match(empty.detail, /^PostgreSQL \d+.*127\.0\.0\.1:\d+.*skillwright_\w+, [\d.]+ ms: empty/);
  await run(['jobs', 'history']);
  const used = await run(['doctor']);
  assert.match(storeCheck(used).detail, /: version \d+$/);
  const facts = used.data.store as Record<string, unknown>;
  assert.deepEqual([facts.engine, facts.reachable, facts.workers_alive, facts.same_name], ['postgres', true, [], []]);
  assert.ok(Math.abs(Number(facts.clock_ahead_ms)) < 2_000, 'one machine, one clock');
  assert.ok(Number((facts.connections as { left: number }).left) > 0);
  for (const name of ['store clock', 'store connections', 'workers'])
    assert.equal(storeCheck(used, name).ok, true, name);
  const broken = machine(t, project, { ...store, url: `postgres://someone:\${SECRET}@127.0.0.1:1/nothing` });
  const outcome = await broken.run(['doctor']);
  assert.equal(storeCheck(outcome).ok, false);
  assert.equal(outcome.state, 'partial');
  for (const one of [empty, outcome]) assert.ok(!JSON.stringify(one).includes(secret));
  const plain = machine(t, project, undefined);
  assert.match(storeCheck(await plain.run(['doctor'])).detail, /^SQLite: /);
});

test('doctor says that nobody takes a job; it and start tell apart two folders of one name on one machine', async (t) => {
  const [first, second] = [makeRole(t), makeRole(t)];
  const store = await storeSettings();
  const [one, other] = [machine(t, first, store), machine(t, second, store)];
  await one.run(['jobs', 'run', 'watcher/echo', 'say', 'who=me', '--detach']);
  const alone = await one.run(['doctor']);
  const workers = storeCheck(alone, 'workers');
  assert.ok(!workers.ok && workers.detail.endsWith('skillwright start'), workers.detail);
  const facts = alone.data.store as { oldest_due_ms: number; same_name: string[] };
  assert.ok(facts.oldest_due_ms > 0);
  assert.deepEqual(facts.same_name, []);
  await other.run(['trust', '--yes']);
  const started = start(t, second, [], { HOME: other.home, SECRET: await other.password() });
  assert.equal((await started.until('name shared')).folder, first);
  await started.end('SIGTERM');
  const warned = storeCheck(await one.run(['doctor']), 'store name');
  assert.ok(!warned.ok && warned.detail.includes(second) && warned.detail.includes('store.name'), warned.detail);
});

test('a password in a file, a variable that is not set and a server that is away are refused in one sentence', async (t) => {
  const project = temporaryFolder(t);
  for (const [store, type, said] of [
    [{ url: 'postgres://someone:geheim@127.0.0.1:1/x', name: 'x' }, 'ConfigInvalid', /environment variable/],
    ['postgres://someone:geheim@127.0.0.1:1/x', 'ConfigInvalid', /environment variable/],
    ['postgres://127.0.0.1:1/x?user=someone&password=geheim', 'ConfigInvalid', /environment variable/],
    [`postgres://someone:\${NOWHERE}@127.0.0.1:1/x`, 'ConfigInvalid', /NOWHERE/],
  ] as const) {
    const outcome = await machine(t, project, store).run(['jobs', 'history']);
    assert.equal(outcome.data.type, type, JSON.stringify(outcome));
    assert.match(outcome.summary, said);
    assert.ok(!JSON.stringify(outcome).includes('geheim'));
  }
});

test('a project cannot choose the server, trusted or not', async (t) => {
  const project = temporaryFolder(t);
  mkdirSync(path.join(project, '.agent'));
  const url = `postgres://someone:\${SECRET}@127.0.0.1:1/elsewhere`;
  writeFileSync(path.join(project, '.agent', 'config.json'), JSON.stringify({ store: { url } }));
  const { run } = machine(t, project, undefined);
  for (const words of [['doctor'], ['trust', '--yes'], ['doctor']]) {
    const outcome = await run(words);
    if (words[0] === 'doctor') assert.match(storeCheck(outcome).detail, /^SQLite: /);
  }
});

interface Settings {
  readonly url: string;
  readonly name: string;
}

interface Printed {
  readonly state: string;
  readonly summary: string;
  readonly data: Record<string, unknown>;
}

/** The server of the tests, its password taken out. */
async function storeSettings(): Promise<Settings> {
  const server = new URL((await sharedPostgres()).url);
  const url = `postgres://${server.username}:\${SECRET}@${server.host}${server.pathname}`;
  return { url, name: `t${randomId(6)}` };
}

/** A home of its own, as on another computer. */
function machine(t: TestContext, project: string, store: Settings | string | undefined) {
  const home = temporaryFolder(t);
  mkdirSync(path.join(home, '.agent'));
  if (store) writeFileSync(path.join(home, '.agent', 'config.json'), JSON.stringify({ store }));
  const secret = randomId(8);
  const password = async () =>
    JSON.stringify(store ?? '').includes('127.0.0.1:1/') ? secret : new URL((await sharedPostgres()).url).password;
  return {
    home,
    secret,
    password,
    async run(words: readonly string[]): Promise<Printed> {
      const SECRET = await password();
      const { stdout, stderr } = await runCli([...words, '--json'], { cwd: project, home, env: { SECRET } });
      assert.notEqual(stdout, '', stderr);
      assert.ok(!(stdout + stderr).includes(SECRET));
      return JSON.parse(stdout) as Printed;
    },
  };
}

function jobsOf({ data }: Printed): readonly { readonly state: string }[] {
  return data.jobs as { state: string }[];
}

function storeCheck({ data }: Printed, wanted = 'store'): { readonly ok: boolean; readonly detail: string } {
  const checks = data.checks as { name: string; ok: boolean; detail: string }[];
  const found = checks.find(({ name }) => name === wanted);
  assert.ok(found);
  return found;
}

/** Tables of jobs in files under this home. */
function databasesIn(home: string): string[] {
  const state = path.join(home, '.agent', 'state');
  if (!existsSync(state)) return [];
  return readdirSync(state, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('state.db') && readFileSync(path.join(state, file)).includes('watcher/echo'),
  );
}
