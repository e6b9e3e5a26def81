// Saved questions and what may be answered. Types only: they are public.

/** A question that was saved because nobody was there to ask. */
export interface WaitingQuestion {
  readonly id: string;
  /** Who waits for it: one call, a run of the agent, a job, or a script of bin/. */
  readonly of: 'call' | 'run' | 'job' | 'script';
  /** All that a person decides on, as text. */
  readonly text: string;
  /** What is to be decided; of most questions there is one thing. */
  readonly items: readonly string[];
  readonly choices: readonly string[];
  /** As ISO 8601. */
  readonly asked: string;
  readonly expires: string;
  /** The facts behind the text, for whoever shows them otherwise. */
  readonly facts?: unknown;
}

/** `no` with a reason tells it to the model. By items: the choice for each, where a script asks about several things. */
export type SavedDecision =
  | 'yes'
  | 'no'
  | { readonly no: string }
  | { readonly choices: Readonly<Record<string, string>> };
