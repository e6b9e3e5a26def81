// Trying again: when it can help, how long to wait, and when to stop.
import { setTimeout as pause } from 'node:timers/promises';
import { type Clock, systemClock } from '../base/clock.ts';
import { Fault } from '../base/errors.ts';
import { ServiceFailure } from './failure.ts';
import type { Retry } from './model.ts';

/** Time and chance, so that a test needs neither. */
export interface Pace {
  readonly clock: Clock;
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
  /** From 0 to 1. */
  random(): number;
}

export const systemPace: Pace = {
  clock: systemClock,
  sleep: (ms, signal) => pause(ms, undefined, signal && { signal }),
  random: Math.random,
};

export interface RetryLimits {
  readonly retries: number;
  /** For all attempts and the waits between them. */
  readonly totalMs: number;
}

interface RetryOptions extends RetryLimits {
  readonly pace: Pace;
  readonly signal?: AbortSignal | undefined;
  readonly onRetry?: ((retry: Retry) => void) | undefined;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 16_000;

/** Attempts until one succeeds; throws a Fault when no further one may follow. */
export async function withRetries<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  { retries, totalMs, pace, signal, onRetry }: RetryOptions,
): Promise<T> {
  const deadline = pace.clock.now() + totalMs;
  for (let attempts = 1; ; attempts++) {
    signal?.throwIfAborted();
    try {
      const leftMs = Math.max(0, deadline - pace.clock.now());
      return await within(leftMs, attempt, signal, () => outOfTime(totalMs, attempts));
    } catch (thrown) {
      if (!(thrown instanceof ServiceFailure)) throw thrown;
      // What the server asks for is the least; told to come at once, everybody would.
      const waitMs = Math.max(thrown.options.waitMs ?? 0, backoff(attempts, pace.random()));
      const inTime = pace.clock.now() + waitMs < deadline;
      if (!thrown.options.retryable || attempts > retries || !inTime) throw thrown.toFault(attempts);
      onRetry?.({ attempt: attempts + 1, waitMs, reason: thrown.reason });
      await pace.sleep(waitMs, signal);
    }
  }
}

/** However an attempt ends after a stop or after its time, it ended because of that. */
async function within<T>(
  ms: number,
  attempt: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal | undefined,
  late: () => Fault,
): Promise<T> {
  const timeUp = new AbortController();
  const timer = setTimeout(() => timeUp.abort(), ms);
  try {
    return await attempt(signal ? AbortSignal.any([signal, timeUp.signal]) : timeUp.signal);
  } catch (thrown) {
    signal?.throwIfAborted();
    throw timeUp.signal.aborted ? late() : thrown;
  } finally {
    clearTimeout(timer);
  }
}

/** Doubles with every failure; half of it is chance, so that many clients do not come back together. */
export function backoff(failures: number, random: number): number {
  const full = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1));
  return Math.round(full * (0.5 + random / 2));
}

/** `retry-after-ms`, else `retry-after` as seconds or as a date; undefined where neither makes sense. */
export function readRetryAfter(headers: Headers, now: number): number | undefined {
  const milliseconds = amount(headers.get('retry-after-ms'));
  if (milliseconds !== undefined) return milliseconds;
  const after = headers.get('retry-after');
  const seconds = amount(after);
  if (seconds !== undefined) return seconds * 1000;
  const date = after?.endsWith('GMT') ? Date.parse(after) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function amount(text: string | null): number | undefined {
  return text !== null && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
}

function outOfTime(totalMs: number, attempts: number): Fault {
  const seconds = totalMs / 1000;
  return new Fault(
    'Timeout',
    { en: `${seconds} s waiting for the model`, zh: `等待模型 ${seconds} 秒` },
    {
      details: { attempts },
      hint: { en: 'Raise model.timeout_seconds in your own settings.', zh: '在用户配置中提高 model.timeout_seconds。' },
    },
  );
}
