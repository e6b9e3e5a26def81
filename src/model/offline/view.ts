// The offline model's view of a run: the request, what was read, and the result of each step.

export interface OfflineView {
  readonly request: string;
  /** Ids of the skills the user named, in the request or as an option. */
  readonly named: readonly string[];
  /** Ids of the skills whose instructions were read. */
  readonly loaded: readonly string[];
  /** Oldest first. */
  readonly steps: readonly OfflineStep[];
  /** Files that were written, as the calls named them. */
  readonly artifacts: readonly string[];
}

export interface OfflineStep {
  /** The type of its action. */
  readonly type: string;
  readonly state: string;
  readonly summary: string;
  readonly hint?: string;
  /** What a protocol skill answered. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** What a command printed. */
  readonly printed?: string;
  /** Every text of it that may name a file it wrote; the run's list of files decides. */
  readonly named?: readonly string[];
}
