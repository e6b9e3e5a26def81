// The head of an HTTP request to a proxy: which host and port it wants, and the head as the server shall get it.

import { type BodyBound, bodyOfLength, chunkedBody } from './body.ts';

const LONGEST_HEAD = 64 * 1024;
const END = Buffer.from('\r\n\r\n');
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

export interface RequestHead {
  readonly method: string;
  readonly target: string;
  readonly version: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

export type ParsedHead = 'more' | 'malformed' | { readonly head: RequestHead; readonly length: number };

export function parseHead(bytes: Buffer): ParsedHead {
  const end = bytes.indexOf(END);
  if (end < 0) return bytes.length > LONGEST_HEAD ? 'malformed' : 'more';
  if (end > LONGEST_HEAD) return 'malformed';
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const [, method, target, version] = /^(\S+) (\S+) (HTTP\/1\.[01])$/.exec(first) ?? [];
  if (!method || !target || !version || !TOKEN.test(method)) return 'malformed';
  const fields = lines.map(parseField);
  const sound = fields.filter((field) => field !== undefined);
  return sound.length < fields.length
    ? 'malformed'
    : { head: { method, target, version, fields: sound }, length: end + END.length };
}

/** A line that goes on from the one before, or holds half a line end, is a way to hide a field. */
function parseField(line: string): readonly [string, string] | undefined {
  const colon = line.indexOf(':');
  const name = line.slice(0, colon);
  return colon > 0 && TOKEN.test(name) && !/[\r\n\0]/.test(line) ? [name, line.slice(colon + 1).trim()] : undefined;
}

/** `origin`: the path that the server is asked for; absent for a tunnel. */
export type HeadTarget = { readonly host: string; readonly port: number; readonly origin?: string };

/** Undefined for what is not for a proxy. */
export function targetOf({ method, target }: RequestHead): HeadTarget | undefined {
  if (method === 'CONNECT') return authorityOf(target);
  const [, authority, rest] = /^http:\/\/([^/?#]+)(.*)$/is.exec(target) ?? [];
  if (authority === undefined || rest === undefined) return undefined;
  const found = authorityOf(/:\d*$/.test(authority.replace(/^\[.*\]/, '')) ? authority : `${authority}:80`);
  const path = rest.split('#')[0] ?? '';
  return found && { ...found, origin: path.startsWith('/') ? path : `/${path}` };
}

function authorityOf(authority: string): HeadTarget | undefined {
  const [, host, port] = /^(\[[^\]]+\]|[^:@]+):(\d{1,5})$/.exec(authority) ?? [];
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) return undefined;
  return { host, port: Number(port) };
}

// About the connection to us, not about the request; an upgrade would begin another protocol.
const HOP_BY_HOP = new Set([
  ...['connection', 'proxy-connection', 'keep-alive', 'upgrade', 'te', 'trailer', 'http2-settings'],
  ...['proxy-authorization', 'proxy-authenticate', 'host', 'content-length'],
]);

export interface Forwarded {
  readonly bytes: Buffer;
  readonly body: BodyBound;
}

/** One request a connection, for the host that was asked for and no other. Undefined where its length is ambiguous. */
export function forwardHead(
  head: RequestHead,
  host: string,
  target: string,
  more: readonly string[] = [],
): Forwarded | undefined {
  const valuesOf = (wanted: string) =>
    head.fields.flatMap(([name, value]) => (name.toLowerCase() === wanted ? [value] : []));
  const lengths = valuesOf('content-length');
  const encodings = valuesOf('transfer-encoding');
  const isChunked = encodings.length > 0;
  // In HTTP/1.0 there are no chunks: some servers take them for the next request.
  if (isChunked && (head.version !== 'HTTP/1.1' || encodings.join().trim().toLowerCase() !== 'chunked'))
    return undefined;
  if (lengths.length > 1 || (lengths.length === 1 && (isChunked || !/^\d{1,15}$/.test(lengths[0] ?? ''))))
    return undefined;
  const named = new Set(valuesOf('connection').flatMap((value) => value.toLowerCase().split(/\s*,\s*/)));
  const kept = head.fields.filter(([name]) => !HOP_BY_HOP.has(name.toLowerCase()) && !named.has(name.toLowerCase()));
  const lines = [
    `${head.method} ${target} ${head.version}`,
    `Host: ${host}`,
    ...kept.map(([name, value]) => `${name}: ${value}`),
    ...(lengths.length === 1 ? [`Content-Length: ${lengths[0]}`] : []),
    ...more,
    'Connection: close',
  ];
  const bytes = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  return { bytes, body: isChunked ? chunkedBody() : bodyOfLength(Number(lengths[0] ?? 0)) };
}
