// Retries while another process has locked the database, without blocking the event loop.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Awaitable } from '../store.ts';
import { isBusy } from './fault.ts';

/** Synchronous when the database is free; else retried until the deadline. */
export function retryWhileLocked<T>(work: () => T, limitMs: number): Awaitable<T> {
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
