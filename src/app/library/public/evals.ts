// Evals as a program runs them. Types only: they are public.
import type { Report } from '../../../evals/report/report.ts';
import type { SuiteProgress } from '../../../evals/run-suite.ts';
import type { CallOutcome } from './outcome.ts';

/** Which cases are run, and how. */
export interface EvalsWish {
  /** Files, names below .agent/evals, or skills; everything of the project unless given. */
  readonly suites?: readonly string[];
  /** Also the cases of user and built-in skills. */
  readonly all?: boolean;
  /** Only these cases. */
  readonly only?: readonly string[];
  readonly tags?: readonly string[];
  /** As in the settings; `offline` unless given. */
  readonly model?: string;
  /** Calls of the cases may run without a question: they happen in worlds of their own. */
  readonly allow?: boolean;
  readonly repeat?: number;
  readonly workers?: number;
  /** Begin no further case above this cost. */
  readonly maxCost?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: SuiteProgress) => void;
}

/**
 * Whether skills still do what they did.
 * @example
 * const outcome = await sw.evals.run({ suites: ['markdown-converter'], allow: true });
 */
export interface Evals {
  /** Failed cases are an outcome in the state `error`, with the report as its result. */
  run(wish?: EvalsWish): Promise<CallOutcome<Report>>;
}
