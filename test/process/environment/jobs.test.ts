// Pinned jobs and their packages: a job names the lock entry it runs with, and a worker that lacks it builds it from the lock or says why not.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { randomId } from '../../../src/base/ids.ts';
import { plant } from '../../support/agent-support.ts';
import { type EnvironmentDesk, lockOf, openEnvironmentDesk, storedIn, toldBy } from '../../support/environment/desk.ts';
import { wheel } from '../../support/environment/packages.ts';
import { start } from '../../support/jobs-support.ts';
import { sharedPostgres } from '../../support/server/postgres-shared.ts';

const SKILL = `---
name: uses
description: Uses packages.
entry: main.py
actions: {say: {}}
---
# uses
`;
const MAIN = `import json, sys
request = json.loads(sys.stdin.read())
import plain
print(json.dumps({"success": True, "action": request["action"], "data": {"version": plain.VERSION}}))
`;
const FILES = { 'SKILL.md': SKILL, 'requirements.txt': 'plain\n', 'main.py': MAIN };
const RUN = ['jobs', 'run', 'uses', 'say', '--pin'];

interface Machine {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
}

async function openDesk(t: TestContext, store?: object): Promise<EnvironmentDesk> {
  const desk = await openEnvironmentDesk(t, FILES, { wheels: [wheel({ name: 'plain' })] });
  plant(desk.project, { '.agent/skills/uses/SKILL.md': SKILL });
  if (store) writeSettings(desk, desk.home, store);
  return desk;
}

function writeSettings({ index }: EnvironmentDesk, home: string, store: object): void {
  plant(home, { '.agent/config.json': JSON.stringify({ ...JSON.parse(index.settings()), store }) });
}

async function told(desk: EnvironmentDesk, words: readonly string[], at: Partial<Machine> = {}) {
  return toldBy(await desk.run([...words, '--json'], at));
}

/** Prepared, and what the action needs granted. */
async function readyAt(desk: EnvironmentDesk, at: Partial<Machine> = {}): Promise<string> {
  for (const words of [
    ['prepare', 'uses', '--yes'],
    ['grants', 'add', 'uses', '--action', 'say', '--tier', 'S1'],
  ]) {
    const done = await told(desk, words, at);
    assert.equal(done.state, 'success', JSON.stringify(done));
  }
  return lockOf(desk).environments[0]?.hash ?? '';
}

interface ShownJob {
  readonly state: string;
  readonly environments: readonly string[];
  readonly reason: string;
  readonly outcome: { readonly data: { readonly response: { readonly data: object }; readonly hint: string } };
}

async function latest(desk: EnvironmentDesk, at: Partial<Machine> = {}): Promise<ShownJob> {
  return (await told(desk, ['jobs', 'show', 'latest'], at)).data.job as ShownJob;
}

test('a pinned job names the packages that its skill was prepared with, and they are built again from the lock', async (t) => {
  const desk = await openDesk(t);
  const entry = await readyAt(desk);
  const ran = await told(desk, RUN);
  assert.equal(ran.state, 'success', JSON.stringify(ran));
  assert.deepEqual((await latest(desk)).environments, [entry]);
  assert.match((await desk.run(['jobs', 'show', 'latest'])).stdout, new RegExp(`packages +${entry}`));
  assert.equal((await desk.run(['environments', 'prune', '--days', '0'])).code, 0);
  assert.deepEqual(storedIn(desk.home), []);
  const again = await told(desk, RUN);
  assert.equal(again.state, 'success', JSON.stringify(again));
  assert.equal(storedIn(desk.home).length, 1);
  const free = await told(desk, RUN.slice(0, -1));
  assert.equal(free.state, 'success');
  assert.deepEqual((await latest(desk)).environments, [], 'what is not pinned names none');
});

test('threat 82 blocked: what the lock of a worker does not name, or names for other machines, is not built, and the job says so', async (t) => {
  const desk = await openDesk(t);
  await readyAt(desk);
  assert.equal((await told(desk, [...RUN, '--detach'])).state, 'success');
  assert.equal((await desk.run(['environments', 'prune', '--days', '0'])).code, 0);
  const file = path.join(desk.project, '.agent/environments.lock.json');
  const kept = readFileSync(file, 'utf8');
  writeFileSync(file, '{"version": 1, "environments": []}\n');
  await runWaiting(t, desk, desk, 'job failed');
  const lost = await latest(desk);
  assert.match(lost.reason, /names packages of uses that the lock here does not \(sha256:[0-9a-f]{12}\)/);
  assert.match(lost.outcome.data.hint, /environments\.lock\.json.*skillwright prepare uses/);
  assert.deepEqual(storedIn(desk.home), []);
  writeFileSync(file, kept);
  const otherKind = {
    file: 'src/environment/build/machine.ts',
    from: "platform: text('platform'),",
    to: "platform: text('version'),",
  };
  const elsewhere = toldBy(await desk.run([...RUN, '--json'], { change: [otherKind] }));
  assert.deepEqual([elsewhere.state, elsewhere.data.code], ['error', 'PACKAGE_REFUSED'], JSON.stringify(elsewhere));
  assert.match(elsewhere.summary, /are for cpython-3\.\d+, \S+-\S+, and this machine is cpython-3\.\d+, 3\./);
  assert.deepEqual(storedIn(desk.home), []);
});

async function runWaiting(t: TestContext, desk: EnvironmentDesk, { home, env = {} }: Partial<Machine>, until: string) {
  const at = { ...(home !== undefined && { home }), env };
  assert.equal((await desk.run(['trust', '--yes'], at)).code, 0);
  const worker = start(t, desk.project, [], { HOME: home ?? desk.home, ...env });
  const line = await worker.until(until);
  await worker.end('SIGTERM');
  return line;
}

test('on another machine of one PostgreSQL a pinned job waits for a yes to its very packages, and then builds and runs', async (t) => {
  const { url: address } = await sharedPostgres();
  const { username, password, host, pathname } = new URL(address);
  const store = { url: `postgres://${username}:\${SECRET}@${host}${pathname}`, name: `test_${randomId(6)}` };
  const desk = await openDesk(t, store);
  const env = { SECRET: password };
  const entry = await readyAt(desk, { env });
  const other = { home: `${desk.home}-2`, env };
  writeSettings(desk, other.home, store);
  assert.equal(
    (await told(desk, ['grants', 'add', 'uses', '--action', 'say', '--tier', 'S1'], other)).state,
    'success',
  );
  assert.equal((await told(desk, [...RUN, '--detach'], { env })).state, 'success');
  await runWaiting(t, desk, other, 'job waiting');
  assert.deepEqual(storedIn(other.home), []);
  const { items } = (await told(desk, ['interrupts'], other)).data as { items: { id: string }[] };
  assert.match(JSON.stringify(items), /plain==1\.0/);
  const yes = await told(desk, ['resume', items[0]?.id ?? '', '--decide', 'approve'], other);
  assert.equal(yes.state, 'success', JSON.stringify(yes));
  const done = await latest(desk, other);
  assert.deepEqual([done.state, done.environments], ['done', [entry]]);
  assert.deepEqual(done.outcome.data.response.data, { version: '1.0' });
  assert.equal(storedIn(other.home).length, 1);
});
