// Runs the script as a process, as its caller does.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';

const script = path.join(import.meta.dirname, '..', 'scripts', 'main.mts');

function run(request: unknown, env: Record<string, string> = {}) {
  const input = typeof request === 'string' ? request : JSON.stringify(request);
  const done = spawnSync(process.execPath, [script], { input, encoding: 'utf8', env: { ...process.env, ...env } });
  return { code: done.status, response: JSON.parse(done.stdout), stderr: done.stderr };
}

test('analyze', () => {
  const { code, response } = run({ action: 'analyze', params: { text: '一 two\nthree', min_length: 2 } });
  assert.equal(code, 0);
  assert.equal(response.success, true);
  assert.deepEqual(response.data.metrics, { lines: 2, words: 2, characters: 11 });
});

test('an empty text is an answer, not a crash', () => {
  const { code, response } = run({ action: 'analyze', params: { text: ' ' } });
  assert.deepEqual([code, response.error.code], [0, 'DATA_NOT_FOUND']);
});

test('describe and test', () => {
  for (const action of ['describe', 'test']) {
    const { code, response } = run({ action });
    assert.deepEqual([code, response.success, response.action], [0, true, action]);
  }
});

test('an unknown action is answered with the known ones', () => {
  const { code, response } = run({ action: 'dance' });
  assert.equal(code, 0);
  assert.equal(response.error.code, 'UNKNOWN_ACTION');
  assert.deepEqual(response.error.supported_actions, ['analyze', 'describe', 'test']);
});

test('missing and invalid parameters are named', () => {
  const missing = run({ action: 'analyze' }).response;
  assert.equal(missing.error.code, 'MISSING_PARAM');
  assert.deepEqual(missing.error.details.missing, ['text']);
  const invalid = run({ action: 'analyze', params: { text: 'a', min_length: 0 } }).response;
  assert.equal(invalid.error.code, 'INVALID_PARAM');
});

test('invalid JSON is answered with JSON and exit code 1', () => {
  const { code, response } = run('{');
  assert.equal(code, 1);
  assert.equal(response.error.code, 'INVALID_JSON');
});

test('debug logs go to stderr', () => {
  assert.match(run({ action: 'test' }, { SKILL_DEBUG: '1' }).stderr, /Input data/);
});
