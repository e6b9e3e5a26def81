// The budget of a run as a program names it. Types only: they are public.

/** What a run may spend; what is not named is as the settings say. */
export interface RunBudget {
  readonly turns?: number;
  readonly toolCalls?: number;
  readonly scriptRuns?: number;
  readonly tokens?: number;
  readonly seconds?: number;
  /** In US dollars. */
  readonly cost?: number;
}
