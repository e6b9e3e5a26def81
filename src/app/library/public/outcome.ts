// The end of whatever was asked, typed by its state. Types only: they are public.
import type { FlatOutcome } from '../../../base/flat-outcome.ts';
import type { Agent } from '../../../base/outcome.ts';
import type { ChangesLeft } from './change.ts';

/** What every outcome has. */
export interface OutcomeShared {
  /** One sentence for people, in the language of the handle. */
  readonly summary: string;
  /** The run whose record tells all of it, where there is one: `sw.runs.show(runId)`. */
  readonly runId?: string;
  /** What it did to files of the project: applied already, or waiting for `sw.runs.apply(runId)`. */
  readonly changes?: ChangesLeft;
  /** The command or the sentence that says how a person goes on at a terminal. */
  readonly next?: string;
  readonly warnings?: readonly string[];
  readonly meta: {
    /** Which part of the product answered. */
    readonly agent: Agent;
    /** Of this call. */
    readonly seconds: number;
    /** When it ended, as ISO 8601. */
    readonly at: string;
  };
  /** The same as the command line prints it with `--json`, in its names: for logs, and for programs that read those. */
  readonly document: FlatOutcome;
}

/** A question that was saved because nobody was there to ask: `sw.answer(id, 'yes')` goes on. */
export interface OpenQuestion {
  readonly id: string;
  /** All that a person decides on, as text. */
  readonly text: string;
  /** As ISO 8601. */
  readonly expires: string;
}

/** Why a call failed, in the words of the error catalogue. */
export interface ErrorInfo {
  /** A name of the catalogue, as docs/errors.md lists it, or that of the skill. */
  readonly type: string;
  readonly code: string;
  readonly message: string;
  /** Whether the same call can succeed later; null where nobody knows. */
  readonly recoverable: boolean | null;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** It did what was asked. */
export interface CallSucceeded<Result> extends OutcomeShared {
  readonly state: 'success';
  readonly result: Result;
}

/** It did some of it. */
export interface CallPartlyDone<Result> extends OutcomeShared {
  readonly state: 'partial';
  readonly result?: Result;
}

/** Parameters are missing; nothing was done. */
export interface CallPending<Result> extends OutcomeShared {
  readonly state: 'pending';
  readonly missing: readonly string[];
  readonly result?: Result;
}

/**
 * A decision is needed. `approval`: `question` waits for `sw.answer`. `changes`: it is done, and `sw.runs.apply` decides
 * about its files. `decisions`: a script asks about several things. `resume`: it was only stopped.
 */
export interface CallInterrupted<Result> extends OutcomeShared {
  readonly state: 'interrupted';
  readonly waitsFor: 'approval' | 'changes' | 'decisions' | 'resume';
  readonly question?: OpenQuestion;
  readonly result?: Result;
}

/** It did not work out, or took too long. */
export interface CallFailed<Result> extends OutcomeShared {
  readonly state: 'error' | 'timeout';
  readonly error: ErrorInfo;
  /** What came out before it failed: exit code and streams of a script, for one. */
  readonly result?: Result;
}

/**
 * The end of whatever was asked of a handle. It is a value, never an exception: those are for wrong use of the library.
 * @example
 * const outcome = await sw.call('csv-insights', 'analyze', { target: 'sales.csv' });
 * if (outcome.state === 'success') console.log(outcome.result);
 * else console.error(outcome.summary);
 */
export type CallOutcome<Result = unknown> =
  | CallSucceeded<Result>
  | CallPartlyDone<Result>
  | CallPending<Result>
  | CallInterrupted<Result>
  | CallFailed<Result>;
