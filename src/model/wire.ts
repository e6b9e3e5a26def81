// The HTTP side of a model: fetch that gives up on slow, silent, foreign or endless answers, and follows no redirect.
import { cutOff, notAnAnswer, refused, ServiceFailure, silent, unreachable } from './failure.ts';
import { readRetryAfter } from './retry.ts';

export interface WireLimits {
  /** Until the headers of the answer are there. */
  readonly headersMs: number;
  /** Between two pieces of the answer. */
  readonly idleMs: number;
}

export interface Wire extends WireLimits {
  readonly expects: 'json' | 'event-stream';
  /** Takes secrets out of what a server said. */
  readonly hide: (text: string) => string;
  readonly now: () => number;
}

const LONGEST_ANSWER = 32 * 1024 * 1024;
const LONGEST_REFUSAL = 16 * 1024;

/** Rejects with a ServiceFailure, or with the reason of the caller's signal. */
export function openWire(wire: Wire): typeof fetch {
  return async (address, init) => {
    const silence = new AbortController();
    const outer = init?.signal ?? undefined;
    const signal = outer ? AbortSignal.any([outer, silence.signal]) : silence.signal;
    const limited = (error: unknown, otherwise: (error: unknown) => ServiceFailure): unknown =>
      signal.aborted ? signal.reason : error instanceof ServiceFailure ? error : otherwise(error);

    const timer = setTimeout(() => silence.abort(silent('headers', wire.headersMs)), wire.headersMs);
    // A redirect could carry the key to another server.
    const response = await fetch(address, { ...init, signal, redirect: 'manual' })
      .catch((error: unknown) => Promise.reject(limited(error, unreachable)))
      .finally(() => clearTimeout(timer));
    const body = watch(response, wire, silence, (error) => limited(error, cutOff));
    if (!response.ok) throw await readRefusal(response, body, wire);
    checkType(response, wire.expects);
    const { status, headers } = response;
    return new Response(ReadableStream.from(body), { status, headers });
  };
}

async function* watch(
  { body }: Response,
  { idleMs }: Wire,
  silence: AbortController,
  explain: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
  const timer = setTimeout(() => silence.abort(silent('body', idleMs)), idleMs).unref();
  let size = 0;
  try {
    for await (const piece of body ?? []) {
      timer.refresh();
      size += piece.byteLength;
      if (size > LONGEST_ANSWER) throw notAnAnswer(`it is longer than ${LONGEST_ANSWER} bytes`);
      yield piece;
    }
  } catch (error) {
    throw explain(error);
  } finally {
    clearTimeout(timer);
  }
}

async function readRefusal(response: Response, body: AsyncGenerator<Uint8Array>, wire: Wire): Promise<ServiceFailure> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of body) {
      pieces.push(piece);
      size += piece.byteLength;
      if (size >= LONGEST_REFUSAL) break;
    }
  } catch (error) {
    // The status is what counts; half a sentence about it will do.
    if (!(error instanceof ServiceFailure)) throw error;
  }
  const said = Buffer.concat(pieces).toString('utf8', 0, LONGEST_REFUSAL);
  return refused(response.status, wire.hide(said), readRetryAfter(response.headers, wire.now()));
}

function checkType(response: Response, expects: Wire['expects']): void {
  const type = response.headers.get('content-type');
  if (type !== null && !type.includes(expects)) {
    void response.body?.cancel();
    throw notAnAnswer(`its content type is ${type}`);
  }
}
