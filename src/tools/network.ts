// One HTTP request that cannot be talked into reaching private addresses: the name is resolved once,
// the address is judged, and the connection goes to exactly that address; a redirect never leads to another host.
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { Fault } from '../base/errors.ts';
import { visible } from '../base/text.ts';
import { isPrivateAddress } from '../base/value/private-address.ts';

export interface NetworkRequest {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface NetworkPolicy {
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly maxRedirects: number;
  /** Which addresses are refused; a grant for private networks gives a function that refuses none. */
  readonly refuses: (address: string) => boolean;
  readonly resolve: (name: string) => Promise<string>;
  /** Whether what permitted the request covers this address of the same host too; absent: it does. */
  readonly covers?: (url: string) => boolean;
  readonly signal?: AbortSignal;
}

export interface NetworkAnswer {
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** The port of tools that make requests. */
export interface NetworkPort {
  request(request: NetworkRequest): Promise<NetworkAnswer>;
}

export function openNetwork(policy: NetworkPolicy): NetworkPort {
  return { request: (request) => requestNetwork(request, policy) };
}

export const defaultNetworkPolicy: NetworkPolicy = {
  timeoutMs: 30_000,
  maxBytes: 10 * 1024 * 1024,
  maxRedirects: 5,
  refuses: isPrivateAddress,
  resolve: resolveName,
};

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

export async function requestNetwork(request: NetworkRequest, policy: NetworkPolicy): Promise<NetworkAnswer> {
  const signals = [AbortSignal.timeout(policy.timeoutMs), ...(policy.signal ? [policy.signal] : [])];
  const signal = AbortSignal.any(signals);
  let current = checkRequest(request);
  for (let redirects = 0; ; redirects++) {
    const address = await judgeAddress(current.url, policy);
    const response = await send(current, address, signal);
    const location = response.headers.location;
    if (!isRedirect(response.statusCode) || !location)
      return await collect(current.url, response, policy.maxBytes, signal);
    response.destroy();
    if (redirects === policy.maxRedirects) throw outside(`more than ${policy.maxRedirects} redirects`);
    current = follow(current, location, response.statusCode ?? 0, policy);
  }
}

interface Checked {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

function checkRequest({ url, method = 'GET', headers = {}, body }: NetworkRequest): Checked {
  if (!URL.canParse(url)) throw new Fault('ParamInvalid', { en: `not a URL: ${url}`, zh: `不是有效的 URL: ${url}` });
  const upper = method.toUpperCase();
  if (!METHODS.has(upper)) throw new Fault('ParamInvalid', { en: `method ${method}`, zh: `方法 ${method}` });
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return { url: new URL(url), method: upper, headers: lower, ...(body !== undefined && { body }) };
}

async function judgeAddress(url: URL, policy: NetworkPolicy): Promise<string> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw blocked(`${url.protocol} is not http or https`);
  if (url.username || url.password) throw blocked('a URL with a user name or password');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const address = isIP(host) ? host : await policy.resolve(host);
  if (policy.refuses(address)) throw blocked(`${url.hostname} is the private address ${address}`);
  return address;
}

async function resolveName(name: string): Promise<string> {
  const { lookup } = await import('node:dns/promises');
  try {
    return (await lookup(name)).address;
  } catch (error) {
    throw new Fault('ExternalServiceError', { en: `no address for ${name}`, zh: `无法解析 ${name}` }, { cause: error });
  }
}

async function send(
  { url, method, headers, body }: Checked,
  address: string,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  // Not by import, which loads `fetch` with its 15 MB beside it.
  const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http');
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const family = isIP(address);
  const outgoing = request(
    {
      host: address,
      family,
      port: url.port || (url.protocol === 'https:' ? 443 : 80),
      path: url.pathname + url.search,
      servername: isIP(url.hostname.replace(/^\[|\]$/g, '')) ? '' : url.hostname,
      method,
      headers: { ...headers, host: url.host },
      signal,
      agent: false,
    },
    resolve,
  );
  outgoing.on('error', (error) => reject(networkFault(error, signal)));
  // Some answers, like a change of protocol, end the connection without a word to us.
  outgoing.on('close', () => reject(outside('no answer')));
  outgoing.end(body);
  return await promise;
}

async function collect(
  url: URL,
  response: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): Promise<NetworkAnswer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > maxBytes) throw new Fault('OutputLimit', `${maxBytes} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    response.destroy();
    throw error instanceof Error && !(error instanceof Fault) ? networkFault(error, signal) : error;
  }
  const headers = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
  return { url: url.href, status: response.statusCode ?? 0, headers, body: Buffer.concat(chunks) };
}

/** The yes was for one host: whoever answers there cannot pass it on. A 303, or a POST that was moved, becomes a GET. */
function follow(previous: Checked, location: string, status: number, { covers }: NetworkPolicy): Checked {
  if (!URL.canParse(location, previous.url.href)) throw outside(`a redirect to ${location}`);
  const url = new URL(location, previous.url);
  if (!isSameHost(previous.url, url) || covers?.(url.href) === false) throw elsewhere(url);
  const becomesGet = status === 303 || (previous.method === 'POST' && (status === 301 || status === 302));
  return becomesGet ? { url, method: 'GET', headers: previous.headers } : { ...previous, url };
}

/** The same origin, or the same host by TLS from now on. */
function isSameHost(from: URL, to: URL): boolean {
  const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:' && from.port === '' && to.port === '';
  return to.origin === from.origin || (isUpgrade && to.hostname === from.hostname);
}

function elsewhere({ href }: URL): Fault {
  const shown = visible(href);
  return new Fault(
    'PermissionDenied',
    { en: `the answer is a redirect to ${shown}`, zh: `应答要求重定向到 ${shown}` },
    {
      details: { redirect: href },
      hint: {
        en: 'Nothing was sent there: what was allowed is another address. Request that one by its own name.',
        zh: '未向其发送任何内容: 获准的是另一地址。请直接请求该地址。',
      },
    },
  );
}

function isRedirect(status: number | undefined): boolean {
  return status !== undefined && [301, 302, 303, 307, 308].includes(status);
}

function networkFault(error: Error, signal: AbortSignal): Fault {
  if (signal.aborted && signal.reason?.name === 'TimeoutError')
    return new Fault('Timeout', 'the network limit', { cause: error });
  return outside(error.message, error);
}

function outside(detail: string, cause?: unknown): Fault {
  return new Fault('ExternalServiceError', detail, { cause });
}

function blocked(detail: string): Fault {
  return new Fault('PathBlocked', detail);
}
