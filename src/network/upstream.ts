// The user's own proxy, where a machine has no other way out: it is asked for the host by name.
import { Fault } from '../base/errors.ts';
import { canonicalHost } from '../base/host/name.ts';
import { connectOut, type Outgoing } from './outgoing.ts';
import { type HostLookup, lookUp } from './reach.ts';

export interface Upstream {
  readonly host: string;
  readonly port: number;
  /** The value of Proxy-Authorization. */
  readonly authorization?: string;
}

/** `http://[user:password@]host:port`. Throws a Fault that never shows the password. */
export function readUpstream(text: string): Upstream {
  const url = URL.parse(text);
  const host = url && canonicalHost(url.hostname);
  if (url?.protocol !== 'http:' || !host || (url.pathname !== '/' && url.pathname !== '') || url.search !== '')
    throw new Fault(
      'ConfigInvalid',
      { en: 'network.upstream_proxy is no http:// address', zh: 'network.upstream_proxy 不是 http:// 地址' },
      { hint: { en: 'Write http://proxy.example.com:3128.', zh: '请写成 http://proxy.example.com:3128。' } },
    );
  const { username, password } = url;
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    ...{ host, port: Number(url.port) || 80 },
    ...(username !== '' && { authorization: `Basic ${Buffer.from(login).toString('base64')}` }),
  };
}

export interface UpstreamTarget {
  readonly host: string;
  readonly port: number;
  /** A plain request is sent as it is; anything else needs a tunnel first. */
  readonly isPlain: boolean;
}

/** Undefined where it does not answer, or refuses. */
export async function connectUpstream(
  upstream: Upstream,
  { host, port, isPlain }: UpstreamTarget,
  milliseconds: number,
  lookup: HostLookup = lookUp,
): Promise<Outgoing | undefined> {
  const addresses = await lookup(upstream.host).catch(() => []);
  const outgoing = await connectOut({ addresses, port: upstream.port }, milliseconds);
  if (!outgoing || isPlain) return outgoing;
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const login = upstream.authorization === undefined ? '' : `Proxy-Authorization: ${upstream.authorization}\r\n`;
  outgoing.socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${login}\r\n`);
  if (await isAccepted(outgoing, milliseconds)) return outgoing;
  outgoing.socket.destroy();
  return undefined;
}

const LONGEST_ANSWER = 64 * 1024;

/** Reads its answer; what may follow is not ours, and a server that speaks first would be cut off: none does before us. */
function isAccepted(outgoing: Outgoing, milliseconds: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const { socket } = outgoing;
  let held: Buffer = Buffer.alloc(0);
  const timer = setTimeout(() => settle(false), milliseconds);
  const settle = (accepted: boolean) => {
    clearTimeout(timer);
    socket.off('close', refuse).off('end', refuse).pause();
    resolve(accepted);
  };
  const refuse = () => settle(false);
  outgoing.onBytes = (bytes, done) => {
    held = Buffer.concat([held, bytes]);
    done();
    const end = held.indexOf('\r\n\r\n');
    if (end < 0 && held.length <= LONGEST_ANSWER) return;
    settle(end >= 0 && /^HTTP\/1\.[01] 2\d\d\b/.test(held.toString('latin1', 0, 16)));
  };
  socket.once('close', refuse).once('end', refuse).resume();
  return promise;
}
