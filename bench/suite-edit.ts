// The file editor on a pattern that takes other engines forever.
import { applyEdits } from '../src/tools/edit.ts';
import type { SuiteOptions, SuiteResult } from './goal.ts';
import type { Measured } from './measure.ts';

const EVIL = [
  { name: 'on 5,000 characters', text: `${'a'.repeat(5_000)}!`, pattern: '^(a+)+$' },
  { name: 'of 5,000 characters', text: 'a'.repeat(2_500), pattern: 'a?'.repeat(1_250) + 'a'.repeat(2_500) },
];
/** Goals in milliseconds are for the best of three. */
const ROUNDS = 3;

export async function bench(_options: SuiteOptions): Promise<SuiteResult> {
  const measured: Measured[] = [];
  for (const evil of EVIL) measured.push(await measure(evil));
  return {
    measured,
    goals: measured.map(({ name, min }) => ({ what: name, value: min, limit: 500, unit: 'ms' })),
  };
}

async function measure({ name, text, pattern }: (typeof EVIL)[number]): Promise<Measured> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = performance.now();
    // Refused or without a match: what counts is that it ends.
    await applyEdits(text, [{ op: 'regex', pattern, replacement: 'x' }]).catch(() => {});
    times.push(performance.now() - startedAt);
  }
  const [min = Number.NaN, median = Number.NaN] = times.toSorted((a, b) => a - b);
  return { name: `evil regex ${name}`, median, min, peakMb: process.resourceUsage().maxRSS / 1024 };
}
