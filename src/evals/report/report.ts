// The report of a suite as one versioned value: the source of every other format, and of a baseline.
import path from 'node:path';
import { isInside } from '../../base/paths.ts';
import type { Attempt, CaseResult } from '../attempt.ts';
import type { Case } from '../case/case.ts';
import type { Comparison, Measured } from '../compare.ts';
import type { Suspicion } from '../instrument.ts';
import type { Metrics } from '../metrics.ts';
import { describePattern } from '../step-rule.ts';
import { skillName } from '../trace.ts';

export const REPORT_FORMAT = 'skillwright-eval';
export const REPORT_VERSION = 1;

export type Verdict = 'passed' | 'failed' | 'suspect' | 'incomplete' | Comparison['verdict'];

export interface ReportedAttempt {
  readonly state: Attempt['state'];
  readonly failures: readonly { readonly rule: string; readonly message: string; readonly steps: readonly number[] }[];
  /** In the order they happened. */
  readonly steps: readonly { readonly step: string; readonly status: string; readonly args?: string }[];
  readonly skills: readonly string[];
  readonly answer: string;
  readonly tokens: number;
  readonly tool_calls: number;
  readonly turns: number;
  readonly error?: string;
}

export interface ReportedCase extends Omit<CaseResult, 'attempts'> {
  readonly input: string;
  readonly file: string;
  readonly line?: number;
  readonly tags: readonly string[];
  readonly attempts: readonly ReportedAttempt[];
  /** The value of the baseline, where it differs. */
  readonly before?: Pick<Earlier, 'passes' | 'runs' | 'steps'>;
}

/** A case of an earlier report. */
export interface Earlier extends Measured {
  /** Of the most informative run. */
  readonly steps?: readonly string[];
}

/** The result of a suite as one document: written as JSON, it is the baseline of the next one. */
export interface Report {
  readonly format: typeof REPORT_FORMAT;
  readonly version: typeof REPORT_VERSION;
  readonly suite: string;
  readonly created: string;
  readonly verdict: Verdict;
  readonly cases: readonly ReportedCase[];
  readonly metrics: Metrics;
  readonly suspicions: readonly Suspicion[];
  /** Skills without any case. */
  readonly uncovered: readonly string[];
  readonly comparison?: Comparison;
}

export interface ReportParts {
  readonly suite: string;
  /** Files below it are named relative to it, so that a report is the same on every machine. */
  readonly base: string;
  readonly now: number;
  readonly tests: readonly Case[];
  readonly results: readonly CaseResult[];
  readonly metrics: Metrics;
  readonly suspicions: readonly Suspicion[];
  readonly uncovered: readonly string[];
  /** Attempts that were planned and not started. */
  readonly notBegun?: number;
  readonly comparison?: Comparison;
  /** The baseline it was compared with. */
  readonly earlier?: readonly Earlier[];
}

/**
 * Puts together what a suite brought; the same results make the same report on every machine.
 * @example
 * const report = makeReport({ suite: 'mine', base: '.', now: Date.now(), tests: cases, ...result, uncovered: [] });
 */
export function makeReport(parts: ReportParts): Report {
  const { suite, now, tests, results, metrics, suspicions, uncovered, comparison } = parts;
  const byId = new Map(results.map((result) => [result.id, result]));
  const changed = changedBefore(parts);
  return {
    format: REPORT_FORMAT,
    version: REPORT_VERSION,
    suite,
    created: new Date(now).toISOString(),
    verdict: verdictOf(parts),
    cases: tests.flatMap((test) => {
      const result = byId.get(test.id);
      const before = changed.get(test.id);
      return result ? [{ ...reportCase(test, result, parts.base), ...(before && { before }) }] : [];
    }),
    metrics,
    suspicions,
    uncovered,
    ...(comparison && { comparison }),
  };
}

function changedBefore({ comparison, earlier = [] }: ReportParts): Map<string, NonNullable<ReportedCase['before']>> {
  const flipped = new Set(comparison?.flips.map(({ id }) => id));
  const changed = earlier.filter(({ id }) => flipped.has(id));
  return new Map(changed.map(({ id, passes, runs, steps }) => [id, { passes, runs, ...(steps && { steps }) }]));
}

/** With a baseline the change is the verdict; without one, the cases are. */
function verdictOf({ metrics, suspicions, comparison, notBegun = 0 }: ReportParts): Verdict {
  if (suspicions.length > 0) return 'suspect';
  if (notBegun > 0 && metrics.cases.failed + metrics.cases.error === 0) return 'incomplete';
  if (comparison) return comparison.verdict;
  if (metrics.cases.failed + metrics.cases.error > 0) return 'failed';
  return metrics.cases.passed > 0 ? 'passed' : 'incomplete';
}

function reportCase(test: Case, result: CaseResult, base: string): ReportedCase {
  const { file, line, tags, turns } = test;
  return {
    ...result,
    input: turns.join('\n'),
    file: isInside(base, file) ? path.relative(base, file) : file,
    ...(line !== undefined && { line }),
    tags,
    attempts: result.attempts.map(reportAttempt),
  };
}

function reportAttempt({ state, judgements, steps, triggered, totals, answer, error }: Attempt): ReportedAttempt {
  const placeOf = new Map(steps.map(({ at }, index) => [at, index]));
  return {
    state,
    failures: judgements
      .filter(({ ok }) => ok === false)
      .map(({ aspect, rule, message, evidence }) => ({
        rule: `${aspect} ${rule}`,
        message,
        steps: evidence.flatMap((at) => placeOf.get(at) ?? []),
      })),
    steps: steps.map(({ name, skill, path, status, args }) => ({
      step: `${describePattern({ step: name, ...(skill !== undefined && { skill: skillName(skill) }) })}${path === undefined ? '' : ` ${path}`}`,
      status,
      ...(args !== undefined && { args: JSON.stringify(args).slice(0, 500) }),
    })),
    skills: triggered.map(skillName),
    answer: answer.slice(0, 2000),
    tokens: totals.tokens,
    tool_calls: totals.toolCalls,
    turns: totals.turns,
    ...(error !== undefined && { error }),
  };
}
