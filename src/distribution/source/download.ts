// Downloads for an installation: https, or plain http on this machine; no redirects, bounded.
import { Fault } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import { isPrivateAddress } from '../../base/value/private-address.ts';
import { defaultNetworkPolicy, requestNetwork } from '../../tools/network.ts';
import { ARCHIVE_LIMITS } from '../archive/type.ts';

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;
const LOOPBACK_ADDRESS = /^(?:127(?:\.\d+){3}|::1)$/;

/** `private`: also private networks, where the user's own settings name the address. */
type Reach = 'open' | 'private';

export async function download(url: string): Promise<Buffer> {
  const { status, body } = await request(url);
  if (status === 200) return Buffer.from(body);
  throw new Fault('ExternalServiceError', `${visible(url)}: HTTP ${status}`);
}

/** Undefined only when the server says that it does not exist: a lost response is not an answer. */
export async function downloadIfThere(
  url: string,
  reach: Reach = 'open',
  signal?: AbortSignal,
): Promise<Buffer | undefined> {
  const { status, body } = await request(url, reach, signal);
  if (status === 200) return Buffer.from(body);
  // Some object stores answer 403 for what is missing.
  if ([403, 404, 410].includes(status)) return undefined;
  throw new Fault('ExternalServiceError', `${visible(url)}: HTTP ${status}`);
}

export function isLoopback({ hostname }: URL): boolean {
  return LOOPBACK_HOST.test(hostname);
}

function request(url: string, reach: Reach = 'open', signal?: AbortSignal): ReturnType<typeof requestNetwork> {
  const isLocal = isLoopback(checkAddress(url));
  return requestNetwork(
    { url },
    {
      ...defaultNetworkPolicy,
      maxBytes: ARCHIVE_LIMITS.totalBytes,
      // A redirect is for the person to judge, who named this address.
      maxRedirects: 0,
      ...(signal && { signal }),
      refuses: (address) => (isLocal ? !LOOPBACK_ADDRESS.test(address) : reach === 'open' && isPrivateAddress(address)),
    },
  );
}

export function checkAddress(url: string): URL {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  const isOpen = address?.protocol === 'http:' && isLoopback(address);
  if (address && (address.protocol === 'https:' || isOpen)) return address;
  throw new Fault('PathBlocked', visible(url), {
    hint: { en: 'Only https addresses are installed from.', zh: '只能从 https 地址安装。' },
  });
}
