// The idempotency key of a task: one execution, one outcome for everybody, and a stored one for a while.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { icon } from '../../../src/base/outcome.ts';
import { openStore } from '../../../src/store/sqlite/store.ts';
import { createFlightControl } from '../../../src/task/flight.ts';
import { commandLine, runCli, temporaryFolder } from '../../support/support.ts';
import { openTaskProject } from '../../support/task-support.ts';

// Every execution prints another id.
const COUNTED =
  'import json, sys, time, uuid\ntime.sleep(0.2)\nprint(json.dumps({"id": str(uuid.uuid4())}))\nsys.exit(int(sys.argv[1]) if len(sys.argv) > 1 else 0)\n';
const PROMPT = '执行 python bin/x.py';

test('001-08 001-09 001-25 001-30 the same key runs once, and the second call gets the stored result', async (t) => {
  const { run, write } = openTaskProject(t);
  write('bin/x.py', COUNTED);
  const first = await run(PROMPT, { key: 'k', windowMs: 60_000 });
  const second = await run(PROMPT, { key: 'k', language: 'zh' });
  assert.equal(second.summary, '缓存命中: 使用最近结果 (<5s)');
  assert.equal(icon(second), '⏭️');
  assert.deepEqual(second.data, { cached: true, original_result: first.data });
});

test('001-10 after the window it runs again', async (t) => {
  const { run, write } = openTaskProject(t);
  write('bin/x.py', COUNTED);
  const first = await run(PROMPT, { key: 'k', windowMs: 200 });
  await sleep(250);
  const second = await run(PROMPT, { key: 'k' });
  assert.ok(!('cached' in second.data));
  assert.notEqual(second.data.id, first.data.id);
});

test('001-11 the same key for another prompt is a conflict, not somebody else’s result', async (t) => {
  const { run, write } = openTaskProject(t);
  write('bin/x.py', COUNTED);
  await run(PROMPT, { key: 'k', windowMs: 60_000 });
  const other = await run(`${PROMPT} 0`, { key: 'k' });
  assert.deepEqual([other.data.type, other.data.recoverable], ['IdempotencyConflict', true]);
  assert.equal((await run(PROMPT, { key: 'k', description: 'other words for it' })).data.cached, true);
});

test('without a key, and with --fresh, it runs every time', async (t) => {
  const { run, write } = openTaskProject(t);
  write('bin/x.py', COUNTED);
  const ids = new Set<unknown>();
  ids.add((await run(PROMPT)).data.id).add((await run(PROMPT)).data.id);
  ids.add((await run(PROMPT, { key: 'k' })).data.id).add((await run(PROMPT, { key: 'k', fresh: true })).data.id);
  assert.equal(ids.size, 4);
});

test('errors are results too: stored with their state and fields', async (t) => {
  const { run, write } = openTaskProject(t);
  write('bin/x.py', COUNTED);
  const first = await run(`${PROMPT} 1`, { key: 'k', windowMs: 60_000 });
  const second = await run(`${PROMPT} 1`, { key: 'k' });
  assert.deepEqual([first.state, second.state], ['error', 'error']);
  assert.deepEqual([second.data.cached, second.data.type], [true, 'RuntimeError']);
  assert.deepEqual(second.data.original_result, JSON.parse(JSON.stringify(first.data)));
});

test('001-01 callers in several processes, while it still runs, get the very same outcome', async (t) => {
  const { write, project, home } = openTaskProject(t);
  write('bin/x.py', `${COUNTED}`.replace('0.2', '2'));
  const args = ['task', 'count one run', PROMPT, '--key', 'k', '--yes', '--json'];
  const answers = await Promise.all(Array.from({ length: 4 }, () => runCli(args, { cwd: project, home })));
  const outcomes = answers.map(({ stdout }) => JSON.parse(stdout));
  const ids = outcomes.map(({ data }) => data.id ?? data.original_result?.id);
  assert.equal(new Set(ids).size, 1, JSON.stringify(outcomes));
  assert.ok(ids[0]);
});

test('a thousand callers in one process wait as one', async (t) => {
  const folder = temporaryFolder(t);
  const place = { home: folder, project: path.join(folder, 'p') };
  using one = openStore(place);
  using other = openStore(place);
  const leader = createFlightControl(one.flights);
  let looks = 0;
  const counted = {
    ...other.flights,
    look: (keys: readonly string[]) => {
      looks++;
      return other.flights.look(keys);
    },
  };
  const waiting = createFlightControl(counted, { pollMs: 20 });
  const gate = Promise.withResolvers<void>();
  const led = leader.fly({ key: 'k', payload: 'p' }, async () => {
    await gate.promise;
    return 'done';
  });
  await sleep(50);
  const waiters = Array.from({ length: 1000 }, () => waiting.fly({ key: 'k', payload: 'p' }, async () => 'mine'));
  await sleep(500);
  gate.resolve();
  const flown = await Promise.all([led, ...waiters]);
  assert.deepEqual(new Set(flown.map(({ result }) => result)), new Set(['done']));
  assert.deepEqual([...new Set(flown.map(({ way }) => way))].sort(), ['led', 'waited']);
  assert.ok(looks < 60, `${looks} looks`);
});

test('a failure nobody foresaw is no result: the next caller runs at once', async (t) => {
  const folder = temporaryFolder(t);
  using store = openStore({ home: folder, project: folder });
  const control = createFlightControl(store.flights);
  await assert.rejects(
    control.fly({ key: 'k', payload: 'p' }, () => Promise.reject(new Error('oops'))),
    /oops/,
  );
  assert.deepEqual(await control.fly({ key: 'k', payload: 'p' }, async () => 'fine'), { result: 'fine', way: 'led' });
});

test('a cached result costs next to nothing', async (t) => {
  const folder = temporaryFolder(t);
  using store = openStore({ home: folder, project: folder });
  const control = createFlightControl(store.flights, { windowMs: 60_000 });
  await control.fly({ key: 'k', payload: 'p' }, async () => 'x'.repeat(10_000));
  const started = performance.now();
  const rounds = 200;
  for (let round = 0; round < rounds; round++) await control.fly({ key: 'k', payload: 'p' }, async () => 'never');
  t.diagnostic(`${((performance.now() - started) / rounds).toFixed(3)} ms for each hit`);
});

test('001-01 a task whose process is killed is taken over by one that waits', async (t) => {
  const { write, project, home } = openTaskProject(t);
  write('bin/x.py', COUNTED.replace('0.2', '2'));
  const args = ['task', 'count one run', PROMPT, '--key', 'k', '--yes', '--json'];
  const cli = commandLine();
  const env = { PATH: process.env.PATH ?? '', HOME: home };
  const first = spawn(process.execPath, [cli, ...args], { cwd: project, env, stdio: 'ignore' });
  using store = openStore({ home, project });
  while ((await store.flights.look(['k'])).size === 0) await sleep(10);
  const second = runCli(args, { cwd: project, home });
  await sleep(800);
  first.kill('SIGKILL');
  const { stdout } = await second;
  const outcome = JSON.parse(stdout);
  assert.deepEqual([outcome.state, typeof outcome.data.id], ['success', 'string'], stdout);
});
