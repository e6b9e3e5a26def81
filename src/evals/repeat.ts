// Repeated runs: pass@k, pass^k, and whether two sets of results differ significantly.

/** pass@k: of `runs` attempts `passes` succeeded; the chance that at least one of k drawn attempts is a success. */
export function passAtK(passes: number, runs: number, k: number): number {
  return 1 - drawAll(runs - passes, runs, k);
}

/** pass^k: the chance that all of k drawn attempts are successes. */
export function passHatK(passes: number, runs: number, k: number): number {
  return drawAll(passes, runs, k);
}

/** The chance that k attempts drawn from `all` without replacement are all among `some`. */
function drawAll(some: number, all: number, k: number): number {
  let chance = 1;
  for (let drawn = 0; drawn < k; drawn++) chance *= Math.max(0, some - drawn) / (all - drawn);
  return chance;
}

/** Exact two-sided McNemar test: the chance of flips as uneven as these if both sides were equal. */
export function mcnemar(worse: number, better: number): number {
  const flips = worse + better;
  let tail = 0;
  for (let count = 0; count <= Math.min(worse, better); count++) tail += chanceOf(flips, count);
  return Math.min(1, 2 * tail);
}

/** The binomial chance of k heads in n throws; halved on the way, because 2 ** n alone would overflow. */
function chanceOf(n: number, k: number): number {
  let value = 1;
  let halved = 0;
  for (let at = 1; at <= k; at++) {
    value = (value * (n - k + at)) / at;
    while (value > 1 && halved < n) {
      value /= 2;
      halved++;
    }
  }
  return value * 2 ** (halved - n);
}
