// Confidence of a measurement: intervals for rates and means, and for the difference of two systems on the same cases.

export interface Interval {
  readonly low: number;
  readonly high: number;
}

const Z_95 = 1.959964;
const RESAMPLES = 2000;

/** Wilson interval at 95 % for `successes` of `trials`. */
export function wilson(successes: number, trials: number): Interval {
  if (trials === 0) return { low: 0, high: 1 };
  const rate = successes / trials;
  const square = Z_95 ** 2;
  const middle = (rate + square / (2 * trials)) / (1 + square / trials);
  const half = (Z_95 / (1 + square / trials)) * Math.sqrt((rate * (1 - rate)) / trials + square / (4 * trials ** 2));
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/** Bootstrap interval at 95 % for the mean; the same values and seed give the same answer. */
export function bootstrapMean(values: readonly number[], seed = 1, resamples = RESAMPLES): Interval {
  return bootstrapClusters(
    values.map((value) => [value]),
    seed,
    resamples,
  );
}

/** Cluster bootstrap, for cases that belong together, such as all requests for one skill: whole groups are drawn. */
export function bootstrapClusters(groups: readonly (readonly number[])[], seed = 1, resamples = RESAMPLES): Interval {
  if (groups.length === 0) return { low: 0, high: 0 };
  const sums = groups.map((group) => ({ total: sum(group), count: group.length }));
  const random = randomNumbers(seed);
  const means = new Float64Array(resamples);
  for (let round = 0; round < resamples; round++) {
    let total = 0;
    let count = 0;
    for (let draw = 0; draw < sums.length; draw++) {
      const drawn = sums[Math.floor(random() * sums.length)];
      total += drawn?.total ?? 0;
      count += drawn?.count ?? 0;
    }
    means[round] = count > 0 ? total / count : 0;
  }
  means.sort();
  return { low: quantile(means, 0.025), high: quantile(means, 0.975) };
}

/** Interval of the mean difference after − before over the same cases; above zero is a significant improvement. */
export function pairedBootstrap(before: readonly number[], after: readonly number[], seed = 1): Interval {
  return bootstrapMean(differences(before, after), seed);
}

export function differences(before: readonly number[], after: readonly number[]): number[] {
  if (before.length !== after.length) throw new RangeError('paired samples must have the same length');
  return after.map((value, at) => value - (before[at] ?? 0));
}

export function mean(values: readonly number[]): number {
  return values.length > 0 ? sum(values) / values.length : 0;
}

/** The quantile of sorted values. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  if (sorted.length === 0) return 0;
  const at = share * (sorted.length - 1);
  const lower = sorted[Math.floor(at)] ?? 0;
  const upper = sorted[Math.ceil(at)] ?? lower;
  return lower + (upper - lower) * (at - Math.floor(at));
}

/** Pseudo-random numbers in [0, 1), determined by the seed of the generator. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
