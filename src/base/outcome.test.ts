import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from './errors.ts';
import { statedOutcome } from './flat-outcome.ts';
import { type Answering, exitCode, failedOutcome, icon, makeOutcome, type State, saidBy, tell } from './outcome.ts';

const START = Date.parse('2025-01-29T10:30:00Z');
const by: Answering = { agent: 'skills', surface: 'invoke', language: 'zh', startedAt: START, now: () => START + 200 };

test('001-34 meta names the agent, the seconds and the UTC time', () => {
  const outcome = makeOutcome(by, 'success', { en: 'done', zh: '完成' });
  assert.deepEqual(outcome.meta, { agent: 'skills', time: 0.2, ts: '2025-01-29T10:30:00.200Z' });
  assert.equal(outcome.summary, '完成');
});

test('each state has its exit code and its icon', () => {
  const expected: [State, number, string][] = [
    ['success', 0, '✅'],
    ['partial', 6, '⚠️'],
    ['pending', 3, '⏸️'],
    ['interrupted', 4, '⏸️'],
    ['timeout', 5, '⏱️'],
    ['error', 1, '❌'],
  ];
  for (const [state, code, sign] of expected) {
    const outcome = statedOutcome(by, state, 'x', {});
    assert.equal(exitCode(outcome), code);
    assert.equal(icon(outcome), sign);
  }
  assert.equal(icon(makeOutcome(by, 'success', 'x', {}, { cached: { original: {} } })), '⏭️');
});

test('a usage error exits 2, a timeout is a state of its own', () => {
  assert.equal(exitCode(failedOutcome({ ...by, agent: 'skillwright' }, new Fault('Usage', 'x'))), 2);
  const late = failedOutcome(by, new Fault('Timeout', '60秒'));
  assert.equal(late.state, 'timeout');
  assert.equal(late.summary, 'Timeout: 执行超时 (>60秒)');
});

test('003-32 an error carries type, msg, recoverable and code, and speaks Chinese when asked', () => {
  const outcome = failedOutcome(by, new Fault('ParamMissing', 'input_file', { details: { missing: ['input_file'] } }));
  assert.equal(outcome.summary, 'ParamMissing: 参数不足: 需要 input_file');
  assert.deepEqual(outcome.data, {
    type: 'ParamMissing',
    msg: 'Missing required parameters: [input_file]',
    recoverable: true,
    code: 'MISSING_PARAM',
    details: { missing: ['input_file'] },
  });
});

test('what is told later stands behind, and who says it changes nothing else', () => {
  const failed = failedOutcome(by, new Fault('RuntimeFailed', 'x', { details: { stderr: 'oh' } }), { first: 1 });
  const told = saidBy({ ...by, agent: 'jobs' }, tell(failed, { last: 2 }));
  assert.deepEqual(Object.keys(told.data), ['first', 'type', 'msg', 'recoverable', 'code', 'details', 'last']);
  assert.deepEqual([told.agent, told.meta.agent, told.failure, told.stderr], ['jobs', 'jobs', failed.failure, 'oh']);
});

test("a skill's own code is kept", () => {
  const outcome = failedOutcome(by, new Fault('RuntimeFailed', 'x', { code: 'QUOTA_EXCEEDED' }));
  assert.deepEqual([outcome.data.code, outcome.failure.code], ['QUOTA_EXCEEDED', 'QUOTA_EXCEEDED']);
  assert.equal(exitCode(outcome), 1);
});
