// Compares two reports of the same suite: every case that changed, and whether the change is statistically significant.
import type { CaseResult } from './attempt.ts';
import { mcnemar } from './repeat.ts';
import { differences, type Interval, mean, pairedBootstrap } from './statistics.ts';

export type Measured = Pick<CaseResult, 'id' | 'state' | 'passes' | 'runs'>;

export interface Flip {
  readonly id: string;
  /** Passes out of runs. */
  readonly before: string;
  readonly after: string;
  readonly direction: 'worse' | 'better';
}

/** Whether skills became worse or better between two runs of the same cases, or nobody can say. */
export interface Comparison {
  readonly verdict: 'regressed' | 'improved' | 'inconclusive';
  readonly compared: number;
  readonly difference: number;
  readonly interval: Interval;
  /** p-value of the exact McNemar test on cases that changed sides. */
  readonly p: number;
  /** Every change of a pass rate, 3/3 to 2/3 too. */
  readonly flips: readonly Flip[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Crashed or skipped on one side: not comparable. */
  readonly unusable: readonly string[];
}

const SIGNIFICANT = 0.05;

/**
 * Compares case by case and tests whether the difference may be chance; a verdict other than `inconclusive` is not.
 * @example
 * const { verdict, flips } = compareResults(readBaseline('report.json'), result.results);
 */
export function compareResults(earlier: readonly Measured[], later: readonly Measured[]): Comparison {
  const old = new Map(earlier.map((one) => [one.id, one]));
  const fresh = new Set(later.map(({ id }) => id));
  const both = later.flatMap((now) => {
    const was = old.get(now.id);
    return was ? [{ was, now }] : [];
  });
  const usable = both.filter(({ was, now }) => was.runs > 0 && now.runs > 0);
  const rates = { was: usable.map(({ was }) => rate(was)), now: usable.map(({ now }) => rate(now)) };
  const interval = usable.length > 0 ? pairedBootstrap(rates.was, rates.now) : { low: 0, high: 0 };
  const p = mcnemar(countSides(usable, 'worse'), countSides(usable, 'better'));
  const difference = mean(differences(rates.was, rates.now));
  return {
    verdict: verdictOf(interval, p, difference),
    compared: usable.length,
    difference: round(difference),
    interval: { low: round(interval.low), high: round(interval.high) },
    p: round(p),
    flips: usable.flatMap(flipOf),
    added: later.filter(({ id }) => !old.has(id)).map(({ id }) => id),
    removed: earlier.filter(({ id }) => !fresh.has(id)).map(({ id }) => id),
    unusable: both.filter(({ was, now }) => was.runs === 0 || now.runs === 0).map(({ now }) => now.id),
  };
}

interface Pair {
  readonly was: Measured;
  readonly now: Measured;
}

/** Either test may be significant: the interval or the p-value; a single flip of many cases proves nothing. */
function verdictOf({ low, high }: Interval, p: number, difference: number): Comparison['verdict'] {
  if (high < 0 || (p < SIGNIFICANT && difference < 0)) return 'regressed';
  if (low > 0 || (p < SIGNIFICANT && difference > 0)) return 'improved';
  return 'inconclusive';
}

function countSides(pairs: readonly Pair[], direction: Flip['direction']): number {
  const from = direction === 'worse' ? 'passed' : 'failed';
  const to = direction === 'worse' ? 'failed' : 'passed';
  return pairs.filter(({ was, now }) => was.state === from && now.state === to).length;
}

function flipOf({ was, now }: Pair): Flip[] {
  const change = rate(now) - rate(was);
  if (change === 0) return [];
  const direction = change < 0 ? 'worse' : 'better';
  return [{ id: now.id, before: `${was.passes}/${was.runs}`, after: `${now.passes}/${now.runs}`, direction }];
}

function rate({ passes, runs }: Measured): number {
  return passes / runs;
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
