// How long a job that failed waits before it is tried again, whatever database holds it.
import type { RetryRule } from './queue.ts';

/** Doubled with each try, never above the limit, and never the same for many that failed together. */
export function backoff({ delayMs, maxMs }: RetryRule, attempt: number, random: () => number): number {
  const full = Math.min(maxMs, delayMs * 2 ** Math.min(attempt - 1, 50));
  return Math.round(full * (1 - random() / 2));
}
