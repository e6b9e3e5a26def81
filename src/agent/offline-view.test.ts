import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Data, State } from '../base/outcome.ts';
import { makeObservation } from './observation.ts';
import { viewOfRun } from './offline-view.ts';
import { outcomeText } from './outcome-text.ts';
import { newRunState } from './run-state.ts';

function stepOf(state: State, summary: string, data: Data) {
  const run = newRunState({
    request: { text: 'x', normalized: 'x', named: [] },
    model: 'offline',
    limits: {} as never,
  });
  const text = outcomeText({ state, summary, data });
  run.observations = [
    makeObservation({ turn: 1, of: 'invoke_skill a b', state, text }, { sha256: '0'.repeat(64), bytes: 0 }),
  ];
  return viewOfRun(run).steps[0];
}

test('the answer of a protocol skill is read back from its observation', () => {
  assert.deepEqual(
    stepOf('success', 'analysed', { skill: 'a', response: { success: true, data: { insights: ['one'] } } }),
    {
      type: 'invoke_skill',
      state: 'success',
      summary: 'analysed',
      data: { insights: ['one'] },
    },
  );
});

test('of an answer that was cut, the sentences remain', () => {
  const data = { insights: ['up by 10 %', 'said "so"'], rows: Array.from({ length: 9_000 }, (_, at) => `row ${at}`) };
  const step = stepOf('success', 'analysed', { skill: 'a', response: { success: true, data } });
  assert.deepEqual(step?.data, { insights: ['up by 10 %', 'said "so"'] });
});

test('what a command printed is its own text, not more', () => {
  const step = stepOf('success', 'done: convert', {
    skill: 'a',
    output_path: 'mybox/output/a.html',
    stdout: 'one\nhint: two\n',
    outputs: [{ path: 'a.html', size: 1 }],
  });
  assert.equal(step?.printed?.trim(), 'one\nhint: two');
  assert.deepEqual(step?.named, ['mybox/output/a.html', 'a.html']);
});

test('a failure keeps its hint', () => {
  const step = stepOf('error', 'ParamMissing: input', { type: 'ParamMissing', msg: 'x', hint: 'Give it.' });
  assert.equal(step?.summary, 'ParamMissing: input');
  assert.equal(step?.hint, 'Give it.');
});
