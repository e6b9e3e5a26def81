// What happens in a run while it runs, as one union: stable, in plain data. `run --stream-json` prints the same.
import type { CallOutcome } from './outcome.ts';
import type { Question, QuestionAnswer } from './question.ts';

/** The run has a record from now on; a run of the agent also has a model. */
export interface RunStarted {
  readonly type: 'started';
  readonly runId: string;
  readonly model: string;
}

/** The model is asked what to do next. `depth` is 1 inside a skill that runs as an agent of its own. */
export interface TurnBegun {
  readonly type: 'turn';
  readonly turn: number;
  readonly depth: number;
}

/** A piece of the answer while the model writes it, for showing only. */
export interface AnswerPiece {
  readonly type: 'text';
  readonly text: string;
}

/** The model is asked again; pieces of the answer that were shown are void. */
export interface ModelRetry {
  readonly type: 'retry';
  readonly reason: string;
}

/** What the model wants done: the kind of action, and the action in one line. */
export interface ActionChosen {
  readonly type: 'action';
  readonly turn: number;
  readonly depth: number;
  readonly kind: string;
  readonly action: string;
  readonly tokens: number;
  readonly milliseconds: number;
}

/** What came of it, as the model is told. */
export interface ActionObserved {
  readonly type: 'observation';
  readonly turn: number;
  readonly depth: number;
  readonly state: string;
  readonly summary: string;
}

/** A skill says how far it is. */
export interface ProgressMade {
  readonly type: 'progress';
  /** Between 0 and 1. */
  readonly fraction: number;
  readonly message: string;
}

/** Somebody is asked. */
export interface QuestionAsked {
  readonly type: 'question';
  readonly question: Question;
}

/** What was answered. */
export interface QuestionAnswered {
  readonly type: 'answer';
  readonly about: Question['about'];
  readonly answer: QuestionAnswer;
}

/** It is over: always the last one. */
export interface RunEnded {
  readonly type: 'ended';
  readonly outcome: CallOutcome;
}

/**
 * An event of a run. New types may be added, and fields to those that are there; what is there keeps its meaning. The
 * JSON Schema is that of `skillwright schema run-event`.
 * @example
 * for await (const event of sw.run('convert notes.md to html')) if (event.type === 'text') console.log(event.text);
 */
export type RunEvent =
  | RunStarted
  | TurnBegun
  | AnswerPiece
  | ModelRetry
  | ActionChosen
  | ActionObserved
  | ProgressMade
  | QuestionAsked
  | QuestionAnswered
  | RunEnded;

/** Sees events as they happen. What it throws ends nothing. */
export type OnEvent = (event: RunEvent) => void;
