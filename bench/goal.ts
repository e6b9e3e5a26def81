// A goal is a ratio (or a size) with its limit; the table shows both and whether it was met.
import type { Measured } from './measure.ts';

export interface Goal {
  readonly what: string;
  readonly value: number;
  readonly limit: number;
  /** Empty for a plain number. */
  readonly unit: '×' | 'MB' | 'ms' | 'tokens' | '%' | '/s' | '';
}

export interface SuiteResult {
  /** Where it is not that of all suites. */
  readonly method?: string;
  readonly measured: readonly Measured[];
  readonly goals: readonly Goal[];
}

export interface SuiteOptions {
  readonly root: string;
  readonly folder: string;
  readonly rounds: number;
}

/** One median over another. */
export function ratio(what: string, a: Measured | undefined, b: Measured | undefined, limit: number): Goal {
  return { what, value: (a?.median ?? Number.NaN) / (b?.median ?? Number.NaN), limit, unit: '×' };
}

export function printMeasured(title: string, rows: readonly Measured[], method = ''): void {
  print(
    `\n## ${title}\n\n${method === '' ? '' : `${method}\n\n`}| command | median ms | min ms | cpu ms | peak MB |\n|---|--:|--:|--:|--:|`,
  );
  for (const { name, median, min, cpu, peakMb } of rows) {
    print(`| ${name} | ${shown(median, 1)} | ${shown(min, 1)} | ${shown(cpu, 0)} | ${shown(peakMb, 0)} |`);
  }
}

/** A dash for what was not measured. */
function shown(value = Number.NaN, digits = 0): string {
  return Number.isNaN(value) ? '–' : value.toFixed(digits);
}

export function printGoals(goals: readonly Goal[]): void {
  print('\n## Goals\n\n| goal | measured | limit | met |\n|---|--:|--:|---|');
  for (const { what, value, limit, unit } of goals) {
    print(`| ${what} | ${value.toFixed(2)} ${unit} | ≤ ${limit} ${unit} | ${value <= limit ? 'yes' : 'NO'} |`);
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
