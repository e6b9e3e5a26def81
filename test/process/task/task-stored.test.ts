// A stored result is answered before anything else is loaded; whatever is not plainly that goes the ordinary way.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { openStore } from '../../../src/store/sqlite/store.ts';
import { createFlightControl } from '../../../src/task/flight.ts';
import { payloadOf } from '../../../src/task/stored.ts';
import { runCli } from '../../support/support.ts';
import { openTaskProject } from '../../support/task-support.ts';

const PROMPT = 'run python bin/x.py';
const STORED = {
  state: 'success',
  agent: 'worker_agent',
  summary: 'ran bin/x.py',
  data: { total: 5, planted: true },
  meta: { agent: 'worker_agent', time: 0.1, ts: '2025-01-29T10:30:00.000Z' },
};

/** A project in which the key `k` has a result that no script would print. */
async function openStored(t: TestContext, stored: unknown = STORED) {
  const made = openTaskProject(t);
  const { project, home } = made;
  made.write('bin/x.py', 'print("{\\"ran\\": true}")\n');
  using store = openStore({ home, project });
  const control = createFlightControl(store.flights, { windowMs: 600_000 });
  await control.fly({ key: 'k', payload: payloadOf(PROMPT) }, async () => JSON.stringify(stored));
  const task = (description: string, prompt: string, ...more: string[]) =>
    runCli(['task', description, prompt, ...more, '--yes'], { cwd: project, home });
  return { ...made, task };
}

test('001-25 001-30 a stored result comes in every form and language, also from a folder below', async (t) => {
  const { task, project, home, write } = await openStored(t);
  const json = await task('count the parts', PROMPT, '--key', 'k', '--json');
  const outcome = JSON.parse(json.stdout);
  assert.deepEqual([json.code, json.stderr, outcome.data], [0, '', { cached: true, original_result: STORED.data }]);
  const compact = await task('count the parts', PROMPT, '--key=k', '--format', 'compact', '--lang', 'zh');
  assert.match(
    compact.stdout,
    /^⏭️ worker_agent 缓存命中: 使用最近结果 \(<5s\)\n {2}state: success \| data: \{cached: true, original_result: \{total: 5, planted: true\}\} \| meta: \{[^\n]*\}\n$/,
  );
  const human = await task('count the parts', PROMPT, '--key', 'k');
  assert.match(human.stdout, /^⏭️ from cache: .*\n\{\n {2}"total": 5,/);
  write('src/deep/x.txt', '');
  const below = await runCli(['task', 'count the parts', PROMPT, '--key', 'k', '--json'], {
    cwd: path.join(project, 'src/deep'),
    home,
  });
  assert.equal(JSON.parse(below.stdout).data.cached, true);
});

test('errors are stored results too, with their exit code', async (t) => {
  const failed = { ...STORED, state: 'error', data: { type: 'RuntimeError', code: 'RUNTIME_FAILED', msg: 'x' } };
  const { task } = await openStored(t, failed);
  const { code, stdout } = await task('count the parts', PROMPT, '--key', 'k', '--json');
  const { state, data } = JSON.parse(stdout);
  assert.deepEqual([code, state, data.cached, data.type], [1, 'error', true, 'RuntimeError']);
});

test('a stored result that is none is named, and --fresh does without it', async (t) => {
  const { task } = await openStored(t, { ...STORED, data: 'nothing', meta: undefined });
  const { code, stdout } = await task('count the parts', PROMPT, '--key', 'k', '--json');
  assert.deepEqual([code, JSON.parse(stdout).data.code], [1, 'STATE_UNUSABLE'], stdout);
  const shown = await task('count the parts', PROMPT, '--key', 'k');
  assert.match(shown.stderr + shown.stdout, /the stored result for k cannot be read[\s\S]*--fresh/);
  const fresh = await task('count the parts', PROMPT, '--key', 'k', '--fresh', '--json');
  assert.equal(JSON.parse(fresh.stdout).data.ran, true, fresh.stdout);
});

test('--fresh, another key, another prompt, a wrong option and a long description go the ordinary way', async (t) => {
  const { task } = await openStored(t);
  assert.equal(JSON.parse((await task('count the parts', PROMPT, '--key', 'other', '--json')).stdout).data.ran, true);
  const conflict = await task('count the parts', `${PROMPT} more`, '--key', 'k', '--json');
  assert.equal(JSON.parse(conflict.stdout).data.type, 'IdempotencyConflict');
  assert.equal((await task('count the parts', PROMPT, '--key', 'k', '--nonsense')).code, 2);
  const long = 'count all of the parts that there are in it';
  const warned = JSON.parse((await task(long, PROMPT, '--key', 'k', '--json')).stdout);
  assert.equal(warned.data.cached ?? false, true);
  assert.equal(warned.data.warnings.length, 1);
  // Last: what it stores is kept for seconds only, and a busy machine needs those.
  const fresh = JSON.parse((await task('count the parts', PROMPT, '--key', 'k', '--fresh', '--json')).stdout);
  assert.equal(fresh.data.ran, true);
});

test('a folder that is not trusted any more, or settings that name another database, are not passed by', async (t) => {
  const changed = await openStored(t);
  changed.write('.agent/config.json', '{"budgets": {"turns": 3}}');
  const refused = await changed.task('count the parts', PROMPT, '--key', 'k', '--json');
  assert.equal(JSON.parse(refused.stdout).data.type, 'NotTrusted');
  const damaged = await openStored(t);
  writeFileSync(path.join(damaged.home, '.agent', 'config.json'), '{"store": {"url": 1}}');
  const { stdout } = await damaged.task('count the parts', PROMPT, '--key', 'k', '--json');
  assert.equal(JSON.parse(stdout).data.type, 'ConfigInvalid');
});
