// SOCKS5 as RFC 1928 has it, by name or address, for connections only and without a password.
import { isIPv6 } from 'node:net';

export const SOCKS_VERSION = 5;
const NO_PASSWORD = 0;
const CONNECT = 1;
const [IPV4, NAME, IPV6] = [1, 3, 4] as const;

/** Codes of an answer. */
export const SOCKS_REPLY = { done: 0, notAllowed: 2, unreachable: 4, badCommand: 7, badAddress: 8 } as const;

export type Greeting = 'more' | 'malformed' | { readonly length: number };

export function parseGreeting(bytes: Uint8Array): Greeting {
  if (bytes.length < 2) return 'more';
  const length = 2 + (bytes[1] ?? 0);
  if (bytes.length < length) return 'more';
  return bytes[0] === SOCKS_VERSION && bytes.subarray(2, length).includes(NO_PASSWORD) ? { length } : 'malformed';
}

export const CHOSE_NO_PASSWORD = Buffer.from([SOCKS_VERSION, NO_PASSWORD]);
export const CHOSE_NOTHING = Buffer.from([SOCKS_VERSION, 0xff]);

export type SocksRequest =
  | 'more'
  | { readonly refuse: number }
  | { readonly host: string; readonly port: number; readonly length: number };

export function parseSocksRequest(bytes: Buffer): SocksRequest {
  if (bytes.length < 5) return 'more';
  if (bytes[0] !== SOCKS_VERSION || bytes[2] !== 0) return { refuse: SOCKS_REPLY.badCommand };
  if (bytes[1] !== CONNECT) return { refuse: SOCKS_REPLY.badCommand };
  const kind = bytes[3];
  const [start, size] = kind === IPV4 ? [4, 4] : kind === IPV6 ? [4, 16] : [5, bytes[4] ?? 0];
  if (kind !== IPV4 && kind !== IPV6 && kind !== NAME) return { refuse: SOCKS_REPLY.badAddress };
  const length = start + size + 2;
  if (bytes.length < length) return 'more';
  const host = hostOf(kind, bytes.subarray(start, start + size));
  const port = bytes.readUInt16BE(start + size);
  return host === '' || port === 0 ? { refuse: SOCKS_REPLY.badAddress } : { host, port, length };
}

function hostOf(kind: typeof IPV4 | typeof NAME | typeof IPV6, bytes: Buffer): string {
  if (kind === NAME) return bytes.toString('latin1');
  if (kind === IPV4) return [...bytes].join('.');
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16)).join(':');
  return isIPv6(groups) ? groups : '';
}

export function socksReply(code: number): Buffer {
  return Buffer.from([SOCKS_VERSION, code, 0, IPV4, 0, 0, 0, 0, 0, 0]);
}
