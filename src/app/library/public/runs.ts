// Runs after the fact as a program sees them. Types only: they are public.
import type { ProjectChange } from './change.ts';
import type { CallOutcome } from './outcome.ts';
import type { AgentRun, RunOptions } from './run.ts';

/** A run as a list shows it. */
export interface RunInfo {
  readonly id: string;
  /** The folder of its record. */
  readonly folder: string;
  /** What drove it: run, call, invoke, exec, task, job. */
  readonly kind: string;
  /** `running` until its end is known. */
  readonly state: string;
  /** Null where its text was not kept. */
  readonly request: string | null;
  /** As ISO 8601. */
  readonly started: string | null;
  readonly ended: string | null;
}

/** Whether a record is still what was written. */
export interface RunCheck {
  readonly runId: string;
  readonly ok: boolean;
  readonly events: number;
  readonly ended: boolean;
  /** The first event that does not hold, and why. */
  readonly brokenAt?: number;
  readonly why?: string;
}

/** One run with all that is known of it. */
export interface RunDetails extends RunInfo {
  readonly check: RunCheck;
  /** Its events as the record has them, one object a line of events.jsonl. */
  readonly events: readonly Readonly<Record<string, unknown>>[];
  /** What its calls printed, as far as it was kept. */
  readonly printed: readonly { readonly tool: string; readonly state: string; readonly text: string | null }[];
}

/** A run once more with its own decisions and results. */
export interface RunReplay {
  readonly runId: string;
  /** It goes as it went. */
  readonly same: boolean;
  /** What is different now, in words. */
  readonly differences: readonly string[];
}

/** What a run changed in its layer and is not in the project yet. */
export interface WaitingChanges {
  readonly runId: string;
  /** Names exactly these changes. */
  readonly digest: string;
  readonly changes: readonly ProjectChange[];
}

/** What of the changes of a run reaches the project; all that needs no yes of its own unless given. */
export interface ApplyWish {
  /** These files and folders alone, below the project. */
  readonly only?: readonly string[];
  /** Also what other tools obey or what holds a variable; a person has to have said so. */
  readonly guarded?: boolean;
  /** Where the project has changed since: `mine` keeps its version, `theirs` takes that of the run. */
  readonly keep?: 'mine' | 'theirs';
  /** Only if the changes are still exactly those that had this digest when somebody looked. */
  readonly digest?: string;
}

/** What reached the project, and what did not. */
export interface AppliedChanges {
  readonly applied: readonly ProjectChange[];
  readonly left: readonly ProjectChange[];
}

/** What was taken back. */
export interface UndoneChanges {
  readonly undone: readonly ProjectChange[];
}

/** Runs are named by their id, or `latest`. What is not there is a Fault. */
export interface Runs {
  /** The latest first. */
  list(): Promise<RunInfo[]>;
  show(run: string): Promise<RunDetails>;
  /** One run, or all of them. */
  verify(run?: string): Promise<RunCheck[]>;
  replay(run: string): Promise<RunReplay>;
  changes(run: string): Promise<WaitingChanges>;
  /** Nothing is applied where the project has changed since; the outcome names the files. */
  apply(run: string, wish?: ApplyWish): Promise<CallOutcome<AppliedChanges>>;
  /** Takes back what was applied last. */
  undo(run: string): Promise<CallOutcome<UndoneChanges>>;
  /** Throws away what waits; whether there was anything. */
  discard(run: string): Promise<boolean>;
  /** Goes on with a run of the agent that was stopped, or whose process was killed; no effect is repeated. */
  resume(run: string, options?: RunOptions): AgentRun;
}
