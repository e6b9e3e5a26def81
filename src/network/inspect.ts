// Whom the first bytes of a tunnel are for: a TLS client says so itself, and it has to be the host that was consented.
import type { Socket } from 'node:net';
import { canonicalHost, isAddress } from '../base/host/name.ts';
import type { RefusalReason } from './attempt.ts';
import { readClientHello } from './client-hello.ts';
import type { ProxyLimits } from './limits.ts';
import { takeFrom } from './take.ts';

/** `opaque`: it may pass, and nothing is known of it. */
export type Inspected = 'pass' | 'opaque' | RefusalReason;

const TLS_PORT = 443;
const LONGEST_HELLO = 70 * 1024;

export async function inspectFirst(
  client: Socket,
  { host, port }: { readonly host: string; readonly port: number },
  { headMs, idleMs }: Pick<ProxyLimits, 'headMs' | 'idleMs'>,
): Promise<Inspected> {
  const mustBeTls = port === TLS_PORT;
  const bounds = { milliseconds: mustBeTls ? headMs : idleMs, bytes: LONGEST_HELLO };
  let isBegun = false;
  const judgeable = (bytes: Uint8Array) => {
    const hello = readClientHello(bytes);
    isBegun = hello === 'more';
    return hello === 'more' ? undefined : { value: hello, length: 0 };
  };
  const first = await takeFrom(client, judgeable, bounds);
  // On any port: what began as TLS and was never told whole would be read by the server alone.
  if (first === 'unclear' || (first === undefined && isBegun)) return 'server-name';
  if (first === undefined || first === 'other') return mustBeTls ? 'not-tls' : 'opaque';
  return isNamed(host, first.serverName) ? 'pass' : 'server-name';
}

/** An address has no server name; some clients give it all the same. */
function isNamed(written: string, serverName: string | undefined): boolean {
  const host = canonicalHost(written);
  if (host === undefined) return false;
  if (serverName === undefined) return isAddress(host);
  return canonicalHost(serverName) === host;
}
