// The retry delay of a failed job, the same for every database.
import type { RetryRule } from './queue.ts';

/** Exponential backoff up to a limit, with jitter so that jobs that failed together do not retry together. */
export function backoff({ delayMs, maxMs }: RetryRule, attempt: number, random: () => number): number {
  const full = Math.min(maxMs, delayMs * 2 ** Math.min(attempt - 1, 50));
  return Math.round(full * (1 - random() / 2));
}
