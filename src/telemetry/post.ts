// Sends one POST after the other over one keep-alive connection.
import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { errorCode } from '../base/read-file.ts';
import type { SignalTarget } from './settings.ts';

export type PostAnswer =
  | { readonly status: number; readonly text: string; readonly retryAfter: string | undefined }
  | { readonly failure: string };

export interface Post {
  /** Never throws. */
  send(body: string, end: AbortSignal): Promise<PostAnswer>;
  close(): void;
}

const ANSWER_LIMIT = 64 * 1024;
const HUNG_UP = ['ECONNRESET', 'EPIPE'];
const LATE = 'no answer in time';

export function openPost(target: SignalTarget): Post {
  const client = openClient(target.url);
  const pack = target.gzip ? openGzip() : undefined;
  const agent = new client.Agent({ keepAlive: true, maxSockets: 1, ...target.tls });
  const begin = (body: Buffer | string) => client.request(target.url, optionsFor(target, body, agent));
  return {
    async send(body, end) {
      const packed = (await pack?.(body)) ?? body;
      const first = await exchange(begin, packed, target.timeoutMs, end);
      // The receiver closed an idle connection; it has seen nothing of this request, so a retry is safe.
      return 'isStale' in first && first.isStale ? await exchange(begin, packed, target.timeoutMs, end) : first;
    },
    close: () => agent.destroy(),
  };
}

/** Neither `fetch` nor an import, which loads `fetch`: those 15 MB slow each process start by half a millisecond. */
function openClient(url: string) {
  return url.startsWith('https:') ? process.getBuiltinModule('node:https') : process.getBuiltinModule('node:http');
}

function optionsFor({ headers, gzip }: SignalTarget, body: Buffer | string, agent: Agent) {
  return {
    method: 'POST',
    agent,
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...(gzip && { 'content-encoding': 'gzip' }),
    },
  };
}

type Exchanged = PostAnswer & { readonly isStale?: boolean };

async function exchange(
  begin: (body: Buffer | string) => ClientRequest,
  body: Buffer | string,
  timeoutMs: number,
  end: AbortSignal,
): Promise<Exchanged> {
  if (end.aborted) return { failure: LATE };
  const { promise, resolve, reject } = Promise.withResolvers<Exchanged>();
  const cut = new AbortController();
  const abort = () => cut.abort();
  const timer = setTimeout(abort, timeoutMs).unref();
  end.addEventListener('abort', abort, { once: true });
  let [hasAnswered, isStale] = [false, false];
  try {
    const request = begin(body);
    cut.signal.addEventListener('abort', () => request.destroy(), { once: true });
    request.on('response', (response) => {
      hasAnswered = true;
      readAnswer(response).then(resolve, reject);
    });
    request.on('error', (error) => {
      isStale = request.reusedSocket && !hasAnswered && !cut.signal.aborted && HUNG_UP.includes(errorCode(error) ?? '');
      reject(error);
    });
    // Some responses, like a protocol upgrade, end the connection without a response or an error event.
    request.on('close', () => hasAnswered || reject(new Error('no answer')));
    request.end(body);
    return await promise;
  } catch (error) {
    return { failure: cut.signal.aborted ? LATE : (errorCode(error) ?? 'the receiver cannot be reached'), isStale };
  } finally {
    clearTimeout(timer);
    end.removeEventListener('abort', abort);
  }
}

async function readAnswer(response: IncomingMessage): Promise<PostAnswer> {
  const { statusCode: status = 0, headers } = response;
  let text = '';
  for await (const piece of response.setEncoding('utf8')) {
    text += piece;
    if (text.length > ANSWER_LIMIT) break;
  }
  return { status, text, retryAfter: headers['retry-after'] };
}

function openGzip(): (body: string) => Promise<Buffer> {
  const pack = promisify(process.getBuiltinModule('node:zlib').gzip);
  return (body) => pack(body, { level: 1 });
}
