import assert from 'node:assert/strict';
import test from 'node:test';
import { count } from '../../test/support/support.ts';
import { mcnemar } from './repeat.ts';
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

/** How often intervals made of random samples hold the truth. */
function coverage(rounds: number, holds: (random: () => number) => boolean): number {
  const random = randomNumbers(2026);
  return mean(Array.from({ length: rounds }, () => Number(holds(random))));
}

test('the Wilson interval holds the true rate about as often as it says, counted over every outcome', () => {
  for (const [trials, rate] of [
    [10, 0.5],
    [20, 0.3],
    [50, 0.9],
  ] as const) {
    let held = 0;
    let chance = (1 - rate) ** trials;
    for (let successes = 0; successes <= trials; successes++) {
      const { low, high } = wilson(successes, trials);
      if (low <= rate && rate <= high) held += chance;
      chance *= ((trials - successes) / (successes + 1)) * (rate / (1 - rate));
    }
    near(held, 0.95, 0.03);
  }
});

test('the bootstrap holds the true mean in about 95 of 100 simulations', (t) => {
  const held = coverage(count(2000, 400), (random) => {
    const drawn = Array.from({ length: 60 }, () => Number(random() < 0.7));
    const { low, high } = bootstrapMean(drawn, Math.floor(random() * 1e9), 500);
    return low <= 0.7 && 0.7 <= high;
  });
  t.diagnostic(`single cases: ${held}`);
  near(held, 0.94, 0.03);
});

test('drawn by groups it does so for repeated cases, too, where single draws are far too sure', (t) => {
  const simulate = (interval: (groups: number[][], seed: number) => { low: number; high: number }) =>
    coverage(count(2000, 400), (random) => {
      // Each case has a rate of its own; its ten runs are alike.
      const groups = Array.from({ length: 40 }, () => {
        const rate = random() < 0.5 ? 0.95 : 0.25;
        return Array.from({ length: 10 }, () => Number(random() < rate));
      });
      const { low, high } = interval(groups, Math.floor(random() * 1e9));
      return low <= 0.6 && 0.6 <= high;
    });
  const clustered = simulate((groups, seed) => bootstrapClusters(groups, seed, 500));
  const single = simulate((groups, seed) => bootstrapMean(groups.flat(), seed, 200));
  t.diagnostic(`by groups: ${clustered}, one by one: ${single}`);
  near(clustered, 0.94, 0.03);
  assert.ok(single < 0.75);
});

test('McNemar has its exact values, for many flips too', () => {
  assert.equal(mcnemar(0, 0), 1);
  near(mcnemar(1, 9), 0.021484375, 1e-12);
  near(mcnemar(5, 15), 0.04138946533203125, 1e-12);
  near(mcnemar(20, 40), 0.01348929373119186, 1e-12);
  near(mcnemar(1000, 1000), 1, 1e-9);
  near(mcnemar(950, 1050), 0.026824146240280695, 1e-9);
  assert.ok(mcnemar(0, 3000) < 1e-300);
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
