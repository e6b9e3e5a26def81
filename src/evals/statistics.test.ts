import assert from 'node:assert/strict';
import test from 'node:test';
import {
  bootstrapClusters,
  bootstrapMean,
  mean,
  pairedBootstrap,
  quantile,
  randomNumbers,
  wilson,
} from './statistics.ts';

function near(actual: number, expected: number, tolerance = 0.001): void {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not near ${expected}`);
}

test('the Wilson interval has its textbook values', () => {
  const half = wilson(50, 100);
  near(half.low, 0.4038);
  near(half.high, 0.5962);
  const none = wilson(0, 10);
  assert.equal(none.low, 0);
  near(none.high, 0.2775);
  assert.deepEqual(wilson(0, 0), { low: 0, high: 1 });
});

test('the bootstrap holds the mean, narrows with more cases, and repeats itself', () => {
  const few = Array.from({ length: 20 }, (_, at) => at % 2);
  const many = Array.from({ length: 2000 }, (_, at) => at % 2);
  const wide = bootstrapMean(few);
  const narrow = bootstrapMean(many);
  assert.ok(wide.low < 0.5 && wide.high > 0.5);
  assert.ok(narrow.high - narrow.low < (wide.high - wide.low) / 5);
  assert.deepEqual(bootstrapMean(few, 7), bootstrapMean(few, 7));
  assert.notDeepEqual(bootstrapMean(few, 7), bootstrapMean(few, 8));
});

test('cases that belong together widen the interval', () => {
  const groups = Array.from({ length: 10 }, (_, at) => Array.from({ length: 20 }, () => at % 2));
  const single = bootstrapMean(groups.flat());
  const clustered = bootstrapClusters(groups);
  assert.ok(clustered.high - clustered.low > 2 * (single.high - single.low));
});

test('a paired comparison tells a real gain from none', () => {
  const before = Array.from({ length: 200 }, (_, at) => (at % 4 === 0 ? 0 : 1));
  const after = before.map((value, at) => (at % 8 === 0 ? 1 : value));
  assert.ok(pairedBootstrap(before, after).low > 0);
  assert.deepEqual(pairedBootstrap(before, before), { low: 0, high: 0 });
  assert.throws(() => pairedBootstrap([1], []), RangeError);
});

test('means, quantiles and random numbers behave at their ends', () => {
  assert.equal(mean([]), 0);
  assert.equal(quantile([], 0.5), 0);
  assert.equal(quantile([1, 2, 3, 4], 0.5), 2.5);
  assert.equal(quantile([1, 2, 3], 1), 3);
  const random = randomNumbers(1);
  const drawn = Array.from({ length: 1000 }, random);
  assert.ok(drawn.every((value) => value >= 0 && value < 1));
  near(mean(drawn), 0.5, 0.05);
});
