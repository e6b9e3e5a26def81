// A run of the agent as a program sees it. Types only: they are public.
import type { ModelLike } from '../../../model/given.ts';
import type { RunBudget } from './budget.ts';
import type { RunEvent } from './event.ts';
import type { CallOptions } from './options.ts';
import type { CallOutcome } from './outcome.ts';

/** What a run of the agent may say beside what every call may. */
export interface RunOptions extends CallOptions {
  /** Decides instead of the model of the handle, and of that of the settings. */
  readonly model?: ModelLike;
  /** Skills that are named beside those in the request. */
  readonly skills?: readonly string[];
  readonly budget?: RunBudget;
}

/** What a run of the agent brought. */
export interface RunResult {
  /** Null where it ended without one. */
  readonly answer: string | null;
  readonly skills: readonly string[];
  readonly turns: number;
  readonly toolCalls: number;
  readonly tokens: number;
  /** Files that its calls wrote, as a person would name them. */
  readonly artifacts: readonly string[];
}

/**
 * A run that is under way. Whoever iterates over it sees all of its events from the first one on; leaving the loop does
 * not end it, the signal does.
 * @example
 * const run = sw.run('convert notes.md to html');
 * for await (const event of run) console.log(event.type);
 * console.log((await run.outcome).summary);
 */
export interface AgentRun extends AsyncIterable<RunEvent> {
  /** Never rejects: what went wrong is an outcome. */
  readonly outcome: Promise<CallOutcome<RunResult>>;
}
