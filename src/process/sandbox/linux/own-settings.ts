// Files of /etc that a call gets made for it, where it has a view of its own: who it is, and the only host it can name.
import { existsSync } from 'node:fs';
import type { OrderNetwork } from '../../order.ts';

export interface OwnSetting {
  readonly path: string;
  readonly content: string;
}

/** The name of the machine inside. */
export const OWN_NAME = 'skill';

export function ownSettings(user: { uid: number; gid: number; home: string }, network: OrderNetwork): OwnSetting[] {
  const names = [
    { path: '/etc/passwd', content: passwd(user) },
    { path: '/etc/group', content: `skill:x:${user.gid}:\nnogroup:x:65534:\n` },
  ];
  // With the network the machine's own files say where names are looked up.
  if (network === 'all') return names;
  return [
    ...names,
    { path: '/etc/hosts', content: hosts() },
    { path: '/etc/nsswitch.conf', content: 'passwd: files\ngroup: files\nhosts: files\n' },
  ];
}

/** Programs ask for the name of their own user; nobody else's is told. */
function passwd({ uid, gid, home }: { uid: number; gid: number; home: string }): string {
  const lines = [`skill:x:${uid}:${gid}::${home}:/bin/sh`, 'nobody:x:65534:65534::/:/bin/false', ''];
  return lines.join('\n');
}

/** A name for an address that the machine does not have would be tried first, and fail. */
function hosts(): string {
  const second = existsSync('/proc/net/if_inet6') ? ['::1 localhost ip6-localhost ip6-loopback'] : [];
  return [`127.0.0.1 localhost ${OWN_NAME}`, ...second, ''].join('\n');
}
