// Waits for a database another process has locked, without holding up everything else this process does.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Awaitable } from '../store.ts';
import { isBusy } from './fault.ts';

/** At once where nobody is in the way; else tried again until it works or the time is up. */
export function patiently<T>(work: () => T, limitMs: number): Awaitable<T> {
  const deadline = performance.now() + limitMs;
  try {
    return work();
  } catch (error) {
    if (!isLocked(error)) throw error;
    return tryAgain(work, deadline);
  }
}

async function tryAgain<T>(work: () => T, deadline: number): Promise<T> {
  for (;;) {
    await sleep(5 + Math.random() * 20);
    try {
      return work();
    } catch (error) {
      if (!isLocked(error) || performance.now() > deadline) throw error;
    }
  }
}

export function isLocked(error: unknown): boolean {
  return error instanceof Error && isBusy(error.cause);
}
