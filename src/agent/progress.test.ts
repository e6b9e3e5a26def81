import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { advance, NO_HISTORY, stuckBy, type TurnStep } from './progress.ts';

const step = (action: string, more: Partial<TurnStep> = {}): TurnStep => ({
  action,
  result: 'same',
  failed: false,
  effect: false,
  ...more,
});
const after = (steps: readonly TurnStep[]) => stuckBy(steps.reduce(advance, NO_HISTORY));

test('the same failure three times in a row is one too many; another in between starts again', () => {
  const failing = step('a', { failed: true });
  assert.equal(after([failing, failing]), undefined);
  assert.equal(after([failing, failing, failing]), 'same-failure');
  assert.equal(after([failing, failing, step('b'), failing, failing]), undefined);
});

test('going round in circles without changing anything is no progress', () => {
  const [a, b] = [step('a'), step('b')];
  assert.equal(after([a, b, a, b, a]), undefined);
  assert.equal(after([a, b, a, b, a, b]), 'no-progress');
});

test('a healthy plan never trips: each step brings something new or changes something', () => {
  const healthy = fc
    .array(fc.boolean(), { maxLength: 300 })
    .map((flags) =>
      flags.map((changes, at) => (changes ? step('same', { effect: true }) : step('look', { result: String(at) }))),
    );
  fc.assert(fc.property(healthy, (steps) => after(steps) === undefined));
});

test('its memory stays small', () => {
  const steps = Array.from({ length: 1_000 }, (_, at) => step(String(at)));
  assert.ok(JSON.stringify(steps.reduce(advance, NO_HISTORY)).length < 2_000);
});
