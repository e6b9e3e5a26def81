import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { count } from '../../test/support/support.ts';
import { Fault } from './errors.ts';
import { exitCodeOf, flatten, parseOutcome, readOutcome, statedOutcome, storedText } from './flat-outcome.ts';
import {
  AGENTS,
  type Answering,
  errorOutcome,
  failedOutcome,
  interruptedOutcome,
  makeOutcome,
  type Outcome,
  pendingOutcome,
  STATES,
} from './outcome.ts';

const by: Answering = { agent: 'skillwright', surface: 'own', language: 'en', startedAt: 0, now: () => 1500 };
const run = { id: 'r', record: '/r', answer: 'yes', resumeCommand: 'go on' };
const reply = { success: true, data: { n: 1 }, message: 'm', metadata: { t: 1 }, mended: ['x'], namedAction: false };

/** Each as whoever makes it tells it. */
const MADE: readonly Outcome[] = [
  makeOutcome(by, 'success', 'x', { stdout: 'out' }, { product: { printed: 'out' } }),
  makeOutcome(
    by,
    'success',
    'x',
    { cached: true, original_result: { a: 1 } },
    { cached: { original: { a: 1 } }, product: {} },
  ),
  makeOutcome(
    by,
    'partial',
    'x',
    { run_id: 'r', answer: 'yes', record: '/r', resume_command: 'go on', warnings: ['w'] },
    { run, next: 'go on', warnings: ['w'], product: {} },
  ),
  makeOutcome(
    by,
    'success',
    'x',
    {
      response: { success: true, data: { n: 1 }, message: 'm', metadata: { t: 1 } },
      mended: ['x'],
      action_filled: true,
    },
    { product: { reply } },
  ),
  pendingOutcome(by, 'x', { missing: ['a'], next: 'Give a.', product: {} }, { missing: ['a'], prompt: 'Give a.' }),
  interruptedOutcome(
    by,
    'x',
    { waitsFor: 'approval', question: 'may it?', next: 'resume q', note: 'n', product: {} },
    { type: 'ApprovalRequired', question: 'may it?', resume_command: 'resume q', note: 'n' },
  ),
  interruptedOutcome(by, 'x', { waitsFor: 'decisions', product: {} }, { interrupted_skills: ['a'] }),
  interruptedOutcome(by, 'x', { waitsFor: 'resume', product: {} }, {}),
  failedOutcome(
    by,
    new Fault('RuntimeFailed', 'x', { details: { stderr: 'oh' } }),
    { hint: 'h' },
    { next: 'h', product: {} },
  ),
  failedOutcome(by, new Fault('Timeout', '1 s'), {}, { product: {} }),
  { ...errorOutcome(by, 'x', { type: 'T' }, { type: 'T' }), product: {} },
];

test('an outcome comes back from its flat form as it was, with all that code decides on', () => {
  for (const made of MADE) assert.deepEqual(parseOutcome(JSON.stringify(flatten(made))), made);
});

test('what was flat stays byte for byte the same, whatever stands in its data', () => {
  const known = [
    'type',
    'code',
    'msg',
    'missing',
    'details',
    'response',
    'run_id',
    'record',
    'warnings',
    'resume_command',
  ];
  const flat = fc.record({
    state: fc.constantFrom(...STATES),
    agent: fc.constantFrom(...AGENTS),
    summary: fc.string(),
    data: fc.dictionary(fc.oneof(fc.constantFrom(...known), fc.string()), fc.jsonValue(), { noNullPrototype: true }),
    meta: fc.record({ agent: fc.constantFrom(...AGENTS), time: fc.nat(), ts: fc.string() }),
  });
  fc.assert(
    fc.property(flat, (one) => {
      const read = readOutcome(one);
      assert.ok(read);
      assert.equal(JSON.stringify(flatten(read)), JSON.stringify(one));
    }),
    { numRuns: count(20_000, 500) },
  );
});

test('what is no outcome is not read as one', () => {
  const whole = flatten(makeOutcome(by, 'success', 'x'));
  for (const field of Object.keys(whole)) {
    assert.equal(readOutcome({ ...whole, [field]: undefined }), undefined, field);
    assert.equal(readOutcome({ ...whole, [field]: 'odd' }) === undefined, field !== 'summary', field);
  }
  for (const text of ['', '{', 'null', '[]', '{"state":"success"}']) assert.equal(parseOutcome(text), undefined, text);
});

test('a long outcome is stored by what says why', () => {
  const failed = failedOutcome(by, new Fault('RuntimeFailed', 'x'), { run_id: 'r', stdout: 'y'.repeat(500) });
  const whole = JSON.stringify(flatten(failed));
  assert.equal(storedText(failed, whole.length), whole);
  const { data, ...rest } = JSON.parse(storedText(failed, whole.length - 1));
  const { type, code, msg } = failed.failure;
  assert.deepEqual(data, { type, code, msg, run_id: 'r', shortened: true, length: whole.length });
  assert.equal(rest.summary, failed.summary);
});

test('only what we ended ourselves was stopped; what a skill says about that decides nothing', () => {
  const fault = new Fault('RuntimeFailed', 'x', { details: { aborted: true }, reason: 'stopped' });
  const failed = failedOutcome(by, fault);
  assert.deepEqual([failed.failure.reason, 'reason' in failed.data], ['stopped', false]);
  for (const limit of [1_000, 10]) {
    const stored = parseOutcome(storedText(failed, limit));
    assert.equal(stored?.state === 'error' && stored.failure.reason, 'stopped');
    assert.ok(stored && !('reason' in flatten(stored)));
  }
  const stated = statedOutcome(by, 'error', 'x', { ...failed.data, reason: 'stopped' });
  assert.equal(stated.state === 'error' && stated.failure.reason, undefined);
});

test('a script that states its failure may leave out anything, and the exit code is that of the flat form', () => {
  const stated = statedOutcome(by, 'error', 'x', { type: 'FileNotFoundError' });
  assert.deepEqual(stated.state === 'error' && stated.failure, { type: 'FileNotFoundError' });
  assert.equal(exitCodeOf(flatten(stated)), 1);
  assert.equal(exitCodeOf(flatten(failedOutcome(by, new Fault('Usage', 'x')))), 2);
});
