// What a program asks of the proxy, in whichever of its languages, and how it is answered in that language.
import type { Socket } from 'node:net';
import type { AttemptWay, HostVerdict } from './attempt.ts';
import { parseHead, type RequestHead, targetOf } from './request-head.ts';
import {
  CHOSE_NO_PASSWORD,
  CHOSE_NOTHING,
  parseGreeting,
  parseSocksRequest,
  SOCKS_REPLY,
  SOCKS_VERSION,
  socksReply,
} from './socks.ts';
import { type TakeBounds, type Taken, takeFrom } from './take.ts';

export interface WantedHost {
  readonly way: AttemptWay;
  readonly host: string;
  readonly port: number;
  /** A plain request: what the server is asked for. */
  readonly plain?: { readonly head: RequestHead; readonly origin: string };
  /** Tells the program that it is connected; a plain request is answered by the server itself. */
  accept(): void;
  /** Tells the program why not, and ends the connection. */
  refuse(verdict: HostVerdict): void;
}

const LONGEST = 66 * 1024;

/** Undefined where nothing was asked that can be named; the program was told, if it still listens. */
export async function readWanted(client: Socket, milliseconds: number): Promise<WantedHost | undefined> {
  const bounds = { milliseconds, bytes: LONGEST };
  const first = await takeFrom(
    client,
    ([byte]) => (byte === undefined ? undefined : { value: byte, length: 0 }),
    bounds,
  );
  if (first === undefined) return undefined;
  return await (first === SOCKS_VERSION ? readSocks(client, bounds) : readHttp(client, bounds));
}

async function readHttp(client: Socket, bounds: TakeBounds): Promise<WantedHost | undefined> {
  const head = await takeFrom(client, wholeHead, bounds);
  const target = head ? targetOf(head) : undefined;
  if (!head || !target) {
    answerHttp(client, '400 Bad Request', 'This is a proxy: CONNECT host:port, or http:// with a host.');
    return undefined;
  }
  const { host, port, origin } = target;
  return {
    ...{ way: origin === undefined ? 'connect' : 'http', host, port },
    ...(origin !== undefined && { plain: { head, origin } }),
    accept: () => void (origin === undefined && client.write('HTTP/1.1 200 Connection established\r\n\r\n')),
    refuse: (verdict) => answerHttp(client, statusOf(verdict), `${host}:${port}: ${wordsOf(verdict)}`),
  };
}

/** Null for what can never be one. */
function wholeHead(bytes: Buffer): Taken<RequestHead | null> | undefined {
  const parsed = parseHead(bytes);
  if (parsed === 'more') return undefined;
  return parsed === 'malformed' ? { value: null, length: 0 } : { value: parsed.head, length: parsed.length };
}

async function readSocks(client: Socket, bounds: TakeBounds): Promise<WantedHost | undefined> {
  const greeting = await takeFrom(client, (bytes) => settled(parseGreeting(bytes)), bounds);
  if (greeting !== 'fine') {
    client.end(CHOSE_NOTHING);
    return undefined;
  }
  client.write(CHOSE_NO_PASSWORD);
  const request = await takeFrom(
    client,
    (bytes) => {
      const parsed = parseSocksRequest(bytes);
      if (parsed === 'more') return undefined;
      return { value: parsed, length: 'refuse' in parsed ? 0 : parsed.length };
    },
    bounds,
  );
  if (!request || 'refuse' in request) {
    client.end(socksReply(request?.refuse ?? SOCKS_REPLY.badCommand));
    return undefined;
  }
  const { host, port } = request;
  return {
    ...{ way: 'socks', host, port },
    accept: () => void client.write(socksReply(SOCKS_REPLY.done)),
    refuse: ({ verdict }) =>
      void client.end(socksReply(verdict === 'refused' ? SOCKS_REPLY.notAllowed : SOCKS_REPLY.unreachable)),
  };
}

function settled(greeting: ReturnType<typeof parseGreeting>) {
  if (greeting === 'more') return undefined;
  return greeting === 'malformed' ? { value: 'bad', length: 0 } : { value: 'fine', length: greeting.length };
}

function statusOf(verdict: HostVerdict): string {
  if (verdict.verdict === 'refused') return '403 Refused by Skillwright';
  return verdict.verdict === 'failed' && verdict.reason === 'timeout' ? '504 Gateway Timeout' : '502 Bad Gateway';
}

function wordsOf(verdict: HostVerdict): string {
  return verdict.verdict === 'allowed' ? 'allowed' : verdict.reason;
}

function answerHttp(client: Socket, status: string, text: string): void {
  if (!client.writable) return;
  const body = `${text}\n`;
  const fields = [
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  client.end(`HTTP/1.1 ${status}\r\n${fields.join('\r\n')}\r\n\r\n${body}`);
  // What it still sends is nobody's; unread, it would make the answer a reset.
  client.resume();
}
