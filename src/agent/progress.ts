// Detects a run without progress: stops repeated equal failures, and turns that learn nothing and change nothing.

export interface LoopProgress {
  /** Short hashes of recent observations. */
  readonly seen: readonly string[];
  /** Consecutive turns without anything new. */
  readonly idle: number;
  /** The last failure, and how often it occurred in a row. */
  readonly failure: string;
  readonly failures: number;
}

export interface TurnStep {
  /** The same for the same action. */
  readonly action: string;
  /** The same for the same result. */
  readonly result: string;
  readonly failed: boolean;
  /** It changed something: repeating it is not idle. */
  readonly effect: boolean;
}

export type Stuck = 'same-failure' | 'no-progress';

export const NO_HISTORY: LoopProgress = { seen: [], idle: 0, failure: '', failures: 0 };

const SAME_FAILURES = 3;
const IDLE_TURNS = 4;
const MEMORY = 64;

export function advance(progress: LoopProgress, { action, result, failed, effect }: TurnStep): LoopProgress {
  const mark = `${action}:${result}`;
  const isNew = !progress.seen.includes(mark);
  const gains = isNew || (effect && !failed);
  const failure = failed ? mark : '';
  return {
    seen: isNew ? [...progress.seen, mark].slice(-MEMORY) : progress.seen,
    idle: gains ? 0 : progress.idle + 1,
    failure,
    failures: failed && failure === progress.failure ? progress.failures + 1 : failed ? 1 : 0,
  };
}

export function stuckBy({ idle, failures }: LoopProgress): Stuck | undefined {
  if (failures >= SAME_FAILURES) return 'same-failure';
  return idle >= IDLE_TURNS ? 'no-progress' : undefined;
}
