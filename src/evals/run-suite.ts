// Runs a suite: controls first, then every case as often as wanted, in parallel, within a cost cap, in a fixed order.
import { setImmediate } from 'node:timers/promises';
import { sha256 } from '../base/ids.ts';
import { canonicalJson } from '../base/json.ts';
import {
  type Attempt,
  attemptCase,
  type CaseResult,
  isNotBegun,
  type RunCase,
  skippedAttempt,
  summarizeCase,
} from './attempt.ts';
import type { Case } from './case/case.ts';
import { findSuspicions, runControls, type Suspicion } from './instrument.ts';
import type { JudgeTools } from './judge.ts';
import { type Metrics, measure } from './metrics.ts';

/** How the cases of a suite are run and judged. */
export interface SuiteOrder extends JudgeTools {
  readonly runCase: RunCase;
  /** An existing skill, for the controls. */
  readonly controlSkill: string;
  /** For cases that do not say it themselves. */
  readonly repeat?: number;
  readonly workers?: number;
  /** No attempt is started once this much was spent. */
  readonly maxCost?: number;
  readonly stop?: AbortSignal;
  /** Attempts of an earlier, interrupted run, by `keyOf`. */
  readonly done?: ReadonlyMap<string, Attempt>;
  readonly onAttempt?: (key: string, attempt: Attempt, progress: SuiteProgress) => void;
}

export interface SuiteProgress {
  readonly done: number;
  readonly total: number;
  readonly failed: number;
}

/** What the cases of a suite brought, before it is made a report. */
export interface SuiteResult {
  readonly results: readonly CaseResult[];
  readonly metrics: Metrics;
  readonly suspicions: readonly Suspicion[];
  /** Attempts that were planned and not started: stopped before, or above the cost cap. */
  readonly notBegun: number;
}

/**
 * Runs controls, then the cases. When a control fails nothing else is run: no result would be valid.
 * @example
 * const world = openEvalWorld(await createRuntime(), { model: 'offline', yes: true });
 * const { results } = await runSuite(cases, { runCase: world.runCase, controlSkill: 'markdown-converter' });
 */
export async function runSuite(tests: readonly Case[], order: SuiteOrder): Promise<SuiteResult> {
  const broken = await runControls(order.runCase, order.controlSkill);
  if (broken.length > 0) return { results: [], metrics: measure([], []), suspicions: broken, notBegun: 0 };
  const planned = tests.flatMap((test) =>
    Array.from({ length: test.repeat ?? order.repeat ?? 1 }, (_, attempt) => ({ test, attempt })),
  );
  const attempts = await runPlanned(planned, order);
  const byCase = Map.groupBy(planned.keys(), (at) => planned[at]?.test);
  const results = tests.map((test) =>
    summarizeCase(
      test,
      (byCase.get(test) ?? []).flatMap((at) => attempts[at] ?? []),
    ),
  );
  const metrics = measure(tests, results);
  const notBegun = attempts.filter(isNotBegun).length;
  return { results, metrics, suspicions: findSuspicions(tests, results, metrics), notBegun };
}

/** Equal only for cases with equal content, wherever they are. */
export function keyOf({ file: _file, line: _line, ...said }: Case, attempt: number): string {
  return `${sha256(canonicalJson(said)).slice(0, 32)}-${attempt}`;
}

interface Planned {
  readonly test: Case;
  readonly attempt: number;
}

/** Results are in planned order, whichever finished first. */
async function runPlanned(planned: readonly Planned[], order: SuiteOrder): Promise<Attempt[]> {
  const attempts: Attempt[] = [];
  let next = 0;
  let spent = 0;
  let done = 0;
  let failed = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < planned.length; at = next++) {
      const one = planned[at];
      if (!one) return;
      // A scripted run never waits; without yielding to the event loop the suite could not be stopped.
      await setImmediate();
      const key = keyOf(one.test, one.attempt);
      const attempt = order.done?.get(key) ?? (await runOne(one, order, spent));
      attempts[at] = attempt;
      spent += attempt.totals.cost;
      done++;
      if (attempt.state === 'failed' || attempt.state === 'error') failed++;
      order.onAttempt?.(key, attempt, { done, total: planned.length, failed });
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, order.workers ?? 1) }, work));
  return attempts;
}

async function runOne({ test, attempt }: Planned, order: SuiteOrder, spent: number): Promise<Attempt> {
  if (order.stop?.aborted) return skippedAttempt('stopped before it was its turn');
  if (order.maxCost !== undefined && spent >= order.maxCost)
    return skippedAttempt(`the cost cap of ${order.maxCost} is reached`);
  return await attemptCase(test, attempt, order.runCase, order);
}
