// Delivers messages to one receiver: retries where the receiver permits it, never past the deadline.
import { setTimeout as sleep } from 'node:timers/promises';
import { isRecord, jsonIfValid } from '../base/json.ts';
import { openPost, type Post } from './post.ts';
import type { SignalTarget } from './settings.ts';

export interface DeliveryLimits {
  /** The deadline for all attempts together. */
  readonly totalMs: number;
  /** The process shuts down: failures are no longer retried. */
  readonly shutdown: AbortSignal;
  /** Aborts the request in flight. */
  readonly end: AbortSignal;
}

/** `rejected` counts the items a receiver refused of a message it accepted. */
export type Sent =
  | { readonly ok: true; readonly rejected: number; readonly reason: string }
  | { readonly ok: false; readonly reason: string };

export interface SignalSender {
  /** Never throws. */
  send(body: string): Promise<Sent>;
  close(): void;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;
/** The status codes OTLP calls retryable; after any other, the same message would fail again. */
const PASSING = [429, 502, 503, 504];

/** Nothing is loaded or connected before there is something to send. */
export function openSignalSender(target: SignalTarget, limits: DeliveryLimits): SignalSender {
  let post: Post | undefined;
  return {
    send(body) {
      post ??= openPost(target);
      return sendWithRetries(post, body, limits);
    },
    close: () => post?.close(),
  };
}

async function sendWithRetries(post: Post, body: string, { totalMs, shutdown, end }: DeliveryLimits): Promise<Sent> {
  const until = performance.now() + totalMs;
  for (let attempt = 0; ; attempt++) {
    const isLast = shutdown.aborted;
    const tried = await tryOnce(post, body, end);
    if (!('mayPass' in tried)) return tried;
    // Never sooner than our own backoff: a Retry-After of 0 would cause an endless loop.
    const waitMs = Math.max(tried.waitMs ?? 0, backoff(attempt));
    if (isLast || performance.now() + waitMs > until) return { ok: false, reason: tried.reason };
    await sleep(waitMs, undefined, { ref: false, signal: shutdown }).catch(() => {});
  }
}

interface Passing {
  readonly mayPass: true;
  readonly reason: string;
  /** The receiver's Retry-After. */
  readonly waitMs?: number;
}

async function tryOnce(post: Post, body: string, end: AbortSignal): Promise<Sent | Passing> {
  const answer = await post.send(body, end);
  if ('failure' in answer) return { mayPass: true, reason: answer.failure };
  const { status, text, retryAfter } = answer;
  if (status >= 200 && status < 300) return readRejected(text);
  const reason = `the receiver answered ${status}`;
  if (!PASSING.includes(status)) return { ok: false, reason };
  const waitMs = readWait(retryAfter);
  return { mayPass: true, reason, ...(waitMs !== undefined && { waitMs }) };
}

function readRejected(text: string): Sent {
  const { rejectedSpans, rejectedDataPoints } = partOf(text);
  const count = Number(rejectedSpans ?? rejectedDataPoints ?? 0);
  return {
    ok: true,
    rejected: Number.isSafeInteger(count) ? Math.max(0, count) : 0,
    reason: 'the receiver refused it',
  };
}

function partOf(text: string): Record<string, unknown> {
  const answer = jsonIfValid(text);
  return isRecord(answer) && isRecord(answer.partialSuccess) ? answer.partialSuccess : {};
}

/** Seconds, or a date. */
function readWait(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const waitMs = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}

/** Exponential backoff with jitter of up to half, so that clients do not retry all at once. */
function backoff(attempt: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** attempt, LONGEST_WAIT_MS) * (1 - Math.random() / 2);
}
