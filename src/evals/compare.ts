// Two reports of the same suite side by side: every case that changed, and whether the change is more than chance.
import type { CaseResult } from './attempt.ts';
import { mcnemar } from './repeat.ts';
import { differences, type Interval, mean, pairedBootstrap } from './statistics.ts';

export type Measured = Pick<CaseResult, 'id' | 'state' | 'passes' | 'runs'>;

export interface Flip {
  readonly id: string;
  /** Passes of runs. */
  readonly before: string;
  readonly after: string;
  readonly direction: 'worse' | 'better';
}

export interface Comparison {
  readonly verdict: 'regressed' | 'improved' | 'inconclusive';
  readonly compared: number;
  readonly difference: number;
  readonly interval: Interval;
  /** Of the exact McNemar test on cases that changed sides. */
  readonly p: number;
  /** Every change of a pass rate, 3/3 to 2/3 too. */
  readonly flips: readonly Flip[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Crashed or skipped on one side: not to be compared. */
  readonly unusable: readonly string[];
}

const SIGNIFICANT = 0.05;

export function compareResults(before: readonly Measured[], after: readonly Measured[]): Comparison {
  const old = new Map(before.map((one) => [one.id, one]));
  const fresh = new Set(after.map(({ id }) => id));
  const both = after.flatMap((now) => {
    const then = old.get(now.id);
    return then ? [{ then, now }] : [];
  });
  const usable = both.filter(({ then, now }) => then.runs > 0 && now.runs > 0);
  const rates = { then: usable.map(({ then }) => rate(then)), now: usable.map(({ now }) => rate(now)) };
  const interval = usable.length > 0 ? pairedBootstrap(rates.then, rates.now) : { low: 0, high: 0 };
  const p = mcnemar(countSides(usable, 'worse'), countSides(usable, 'better'));
  const difference = mean(differences(rates.then, rates.now));
  return {
    verdict: verdictOf(interval, p, difference),
    compared: usable.length,
    difference: round(difference),
    interval: { low: round(interval.low), high: round(interval.high) },
    p: round(p),
    flips: usable.flatMap(flipOf),
    added: after.filter(({ id }) => !old.has(id)).map(({ id }) => id),
    removed: before.filter(({ id }) => !fresh.has(id)).map(({ id }) => id),
    unusable: both.filter(({ then, now }) => then.runs === 0 || now.runs === 0).map(({ now }) => now.id),
  };
}

interface Pair {
  readonly then: Measured;
  readonly now: Measured;
}

/** Either way of looking has to be sure; a single flip of many cases proves nothing. */
function verdictOf({ low, high }: Interval, p: number, difference: number): Comparison['verdict'] {
  if (high < 0 || (p < SIGNIFICANT && difference < 0)) return 'regressed';
  if (low > 0 || (p < SIGNIFICANT && difference > 0)) return 'improved';
  return 'inconclusive';
}

function countSides(pairs: readonly Pair[], direction: Flip['direction']): number {
  const from = direction === 'worse' ? 'passed' : 'failed';
  const to = direction === 'worse' ? 'failed' : 'passed';
  return pairs.filter(({ then, now }) => then.state === from && now.state === to).length;
}

function flipOf({ then, now }: Pair): Flip[] {
  const change = rate(now) - rate(then);
  if (change === 0) return [];
  const direction = change < 0 ? 'worse' : 'better';
  return [{ id: now.id, before: `${then.passes}/${then.runs}`, after: `${now.passes}/${now.runs}`, direction }];
}

function rate({ passes, runs }: Measured): number {
  return passes / runs;
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
