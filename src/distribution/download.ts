// Bytes from the network for an installation: https, or plain http on this machine; no redirects, bounded.
import { Fault } from '../base/errors.ts';
import { visible } from '../base/text.ts';
import { defaultNetworkPolicy, requestNetwork } from '../tools/network-request.ts';
import { isPrivateAddress } from '../tools/private-address.ts';
import { ARCHIVE_LIMITS } from './archive.ts';

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;
const LOOPBACK_ADDRESS = /^(?:127(?:\.\d+){3}|::1)$/;

export async function download(url: string): Promise<Buffer> {
  const isLocal = LOOPBACK_HOST.test(checkAddress(url).hostname);
  const answer = await requestNetwork(
    { url },
    {
      ...defaultNetworkPolicy,
      maxBytes: ARCHIVE_LIMITS.totalBytes,
      // Where it would lead is for the person to judge, who named this address.
      maxRedirects: 0,
      refuses: (address) => (isLocal ? !LOOPBACK_ADDRESS.test(address) : isPrivateAddress(address)),
    },
  );
  if (answer.status === 200) return Buffer.from(answer.body);
  throw new Fault('ExternalServiceError', `${visible(url)}: HTTP ${answer.status}`);
}

export function checkAddress(url: string): URL {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  const isOpen = address?.protocol === 'http:' && LOOPBACK_HOST.test(address.hostname);
  if (address && (address.protocol === 'https:' || isOpen)) return address;
  throw new Fault('PathBlocked', visible(url), {
    hint: { en: 'Only https addresses are installed from.', zh: '只能从 https 地址安装。' },
  });
}
