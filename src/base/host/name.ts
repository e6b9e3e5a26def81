// One spelling for every way to write a host: a name in ASCII, an IPv4 address with dots, an IPv6 address without brackets.
import { isIP, isIPv6 } from 'node:net';

const LONGEST_NAME = 253;
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;
// What a URL would take for the end of its host, skip or decode.
const NOT_IN_A_HOST = /[\p{C}\p{Z}/\\?#@%<>^|"'`{}*:[\]]/u;

/** Undefined for what no resolver and no socket would take for a host. */
export function canonicalHost(written: string): string | undefined {
  const inner = /^\[(.*)\]$/s.exec(written)?.[1];
  if (inner !== undefined || isIPv6(written)) return canonicalIPv6(inner ?? written);
  if (NOT_IN_A_HOST.test(written)) return undefined;
  // As browsers read it: 0x7f.1, 2130706433 and full-width digits are addresses, letters of other scripts become ASCII.
  const url = URL.parse(`http://${written}/`);
  const host = url?.hostname.replace(/\.$/, '');
  if (!host) return undefined;
  return isIP(host) || isName(host) ? host : undefined;
}

export function isAddress(host: string): boolean {
  return isIP(host) !== 0;
}

function isName(host: string): boolean {
  return host.length <= LONGEST_NAME && host.split('.').every((label) => LABEL.test(label));
}

/** An IPv4 address in IPv6 clothes is that IPv4 address. */
function canonicalIPv6(written: string): string | undefined {
  if (!isIPv6(written) || written.includes('%')) return undefined;
  const host = URL.parse(`http://[${written}]/`)?.hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(host ?? '');
  if (!mapped) return host;
  return mapped
    .slice(1)
    .map((half) => Number.parseInt(half, 16))
    .flatMap((half) => [half >> 8, half & 255])
    .join('.');
}
