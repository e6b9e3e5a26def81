// Brings one message to the receiver: tried again where the receiver says that may help, never longer than it may take.
import { setTimeout as sleep } from 'node:timers/promises';
import { isRecord } from '../base/json.ts';
import type { Target } from './settings.ts';

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

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;
/** OTLP names these; after any other answer the same message would fail again. */
const PASSING = [429, 502, 503, 504];
const ANSWER_LIMIT = 64 * 1024;

/** Never throws. */
export async function send(target: Target, body: string, { totalMs, hurry, end }: Patience): Promise<Sent> {
  const until = performance.now() + totalMs;
  for (let attempt = 0; ; attempt++) {
    const isLast = hurry.aborted;
    const tried = await post(target, body, end);
    if (!('mayPass' in tried)) return tried;
    const waitMs = tried.waitMs ?? backoff(attempt);
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

async function post({ url, headers, timeoutMs }: Target, body: string, end: AbortSignal): Promise<Sent | Passing> {
  const control = new AbortController();
  const abort = () => control.abort();
  const timer = setTimeout(abort, timeoutMs).unref();
  end.addEventListener('abort', abort, { once: true });
  if (end.aborted) abort();
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      // Wherever it leads would get the headers, too.
      redirect: 'manual',
      signal: control.signal,
    });
    return await judge(response);
  } catch (error) {
    return { mayPass: true, reason: control.signal.aborted ? 'no answer in time' : reasonOf(error) };
  } finally {
    clearTimeout(timer);
    end.removeEventListener('abort', abort);
  }
}

async function judge(response: Response): Promise<Sent | Passing> {
  const { status, ok } = response;
  if (ok) return readRejected(await readSome(response));
  await response.body?.cancel();
  const reason = `the receiver answered ${status}`;
  if (!PASSING.includes(status)) return { ok: false, reason };
  const waitMs = readWait(response.headers.get('retry-after'));
  return { mayPass: true, reason, ...(waitMs !== undefined && { waitMs }) };
}

async function readSome(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of response.body ?? []) {
    text += decoder.decode(piece, { stream: true });
    if (text.length > ANSWER_LIMIT) break;
  }
  return text;
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
function readWait(header: string | null): number | undefined {
  if (header === null) return undefined;
  const waitMs = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}

/** Doubled each time, and by chance up to half shorter, so that not all come back at once. */
function backoff(attempt: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** attempt, LONGEST_WAIT_MS) * (1 - Math.random() / 2);
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (isRecord(cause) && typeof cause.code === 'string') return cause.code;
  return 'the receiver cannot be reached';
}
