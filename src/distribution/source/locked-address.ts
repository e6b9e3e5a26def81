// Judges an address that only the lock of an untrusted project names: nobody chose it, so it must be on the public
// internet, and never uses the keys of this user.
import { lookup } from 'node:dns/promises';
import { Fault } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import { isPrivateAddress } from '../../base/value/private-address.ts';
import { isKnownSource } from '../known-source.ts';
import { isLoopback } from './download.ts';

interface Host {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

// Stricter than either parser: git and we must see the same host in it.
const PLAIN_HTTPS = /^https:\/\/(?:[^/@\\?#\s]*@)?(\[[\da-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?(?:\/|$)/i;

/** Files and indexes: names that resolve to private addresses are refused where the request is made. */
export function judgeLockedDownload(location: string, { home }: Host): void {
  const isLocal = !URL.canParse(location) || isLoopback(new URL(location));
  if (isLocal && !isKnownSource(home, location)) throw refusal(location);
}

/** A server of the user's: what it is asked for is the lock's own idea. */
export function judgeLockedServer(location: string, { home }: Host): void {
  if (!isKnownSource(home, location)) throw refusal(location);
}

/** Settings that pin git to the address that was judged: a name may resolve elsewhere a moment later. */
export async function judgeLockedRepository(location: string, { home, env }: Host): Promise<string[]> {
  const isFile = location.startsWith('/') || location.startsWith('file://');
  if (isFile || isKnownSource(home, location)) return [];
  const [, host, port = '443'] = PLAIN_HTTPS.exec(location) ?? [];
  if (host === undefined) throw refusal(location);
  const addresses = await addressesOf(host.replace(/^\[|\]$/g, ''));
  // A proxy resolves the host itself; without one there is nothing to connect to.
  if (addresses.length === 0 && (env.HTTPS_PROXY || env.https_proxy)) return [];
  if (addresses.length === 0) throw new Fault('ExternalServiceError', visible(`${host}: no address`));
  if (addresses.some(isPrivateAddress)) throw refusal(location);
  return host.startsWith('[') ? [] : [`http.curloptResolve=${host}:${port}:${addresses.join(',')}`];
}

async function addressesOf(host: string): Promise<string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch {
    return [];
  }
}

function refusal(location: string): Fault {
  const shown = visible(location);
  return new Fault(
    'PathBlocked',
    {
      en: `${shown} is named only by the lock of this project, which is not trusted: no address of this machine or its network is asked for it, no server of yours, and no ssh key is used`,
      zh: `${shown} 仅由此项目的锁文件给出，而项目未受信任: 不会为此访问本机或内网地址、您的服务器，也不会使用 ssh 密钥`,
    },
    {
      hint: {
        en: 'If you know the address, install from it once by name: `skillwright install <address>`; or trust the whole project: `skillwright trust`.',
        zh: '如认识该地址，请亲自从它安装一次: `skillwright install <地址>`；或信任整个项目: `skillwright trust`。',
      },
    },
  );
}
