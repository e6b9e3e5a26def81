// Brings messages to one receiver: tried again where the receiver says that may help, never longer than it may take.
import { setTimeout as sleep } from 'node:timers/promises';
import { isRecord } from '../base/json.ts';
import { openPost, type Post } from './post.ts';
import type { SignalTarget } from './settings.ts';

export interface Patience {
  /** For all tries together. */
  readonly totalMs: number;
  /** The process is about to end: what fails now is not tried again. */
  readonly hurry: AbortSignal;
  /** No more waiting. */
  readonly end: AbortSignal;
}

/** `rejected` counts what a receiver that took the message did not want of it. */
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
/** OTLP names these; after any other answer the same message would fail again. */
const PASSING = [429, 502, 503, 504];

/** Nothing is loaded or connected before there is something to send. */
export function openLine(target: SignalTarget, patience: Patience): SignalSender {
  let post: Post | undefined;
  return {
    send(body) {
      post ??= openPost(target);
      return sendPatiently(post, body, patience);
    },
    close: () => post?.close(),
  };
}

async function sendPatiently(post: Post, body: string, { totalMs, hurry, end }: Patience): Promise<Sent> {
  const until = performance.now() + totalMs;
  for (let attempt = 0; ; attempt++) {
    const isLast = hurry.aborted;
    const tried = await tryOnce(post, body, end);
    if (!('mayPass' in tried)) return tried;
    // Never sooner than without the receiver's wish: one that says 0 would be asked without end.
    const waitMs = Math.max(tried.waitMs ?? 0, backoff(attempt));
    if (isLast || performance.now() + waitMs > until) return { ok: false, reason: tried.reason };
    await sleep(waitMs, undefined, { ref: false, signal: hurry }).catch(() => {});
  }
}

interface Passing {
  readonly mayPass: true;
  readonly reason: string;
  /** As the receiver wishes. */
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
  try {
    const answer: unknown = JSON.parse(text);
    return isRecord(answer) && isRecord(answer.partialSuccess) ? answer.partialSuccess : {};
  } catch {
    return {};
  }
}

/** Seconds, or a date. */
function readWait(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const waitMs = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}

/** Doubled each time, and by chance up to half shorter, so that not all come back at once. */
function backoff(attempt: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** attempt, LONGEST_WAIT_MS) * (1 - Math.random() / 2);
}
