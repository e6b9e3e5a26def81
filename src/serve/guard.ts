// Whether a request to a server on this machine comes from who it is for: a program with our token, and no page of a browser.
import { timingSafeEqual } from 'node:crypto';
import { sha256 } from '../base/ids.ts';

/** Of a request, as it came. */
export interface AskedHead {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  /** `Sec-Fetch-Site`, which pages cannot choose. */
  readonly site: string | undefined;
  readonly authorization: string | undefined;
}

export interface RefusedRequest {
  readonly status: 401 | 403;
  readonly why: string;
}

/** Undefined for one that may pass. A name that leads here by way of somebody else's DNS is not ours. */
export function refuseRequest(
  { host, origin, site, authorization }: AskedHead,
  { port, token }: { readonly port: number; readonly token: string },
): RefusedRequest | undefined {
  const ours = ['127.0.0.1', 'localhost'].map((name) => `${name}:${port}`);
  if (host === undefined || !ours.includes(host.toLowerCase())) return forbidden(`Host must be ${ours.join(' or ')}`);
  if (origin !== undefined && !ours.some((one) => origin === `http://${one}`))
    return forbidden('this Origin is not served');
  if (site !== undefined && site !== 'none' && site !== 'same-origin')
    return forbidden('pages of others are not served');
  const [, given] = /^Bearer ([\w-]+)$/i.exec(authorization ?? '') ?? [];
  if (given === undefined || !isSame(given, token))
    return { status: 401, why: 'Authorization must be Bearer with the token' };
  return undefined;
}

function forbidden(why: string): RefusedRequest {
  return { status: 403, why };
}

/** As long for every guess. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(one)), Buffer.from(sha256(other)));
}
