// Which addresses are not the open internet: this machine, its neighbours, and tunnels that lead back to them.
import { BlockList, isIP } from 'node:net';

// Two lists, because one would judge every IPv4 address by the rule for mapped ones.
const PRIVATE_4 = new BlockList();
const PRIVATE_6 = new BlockList();

for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Public in form only: what a virtual machine of Azure asks about itself.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  PRIVATE_4.addSubnet(network, prefix, 'ipv4');
}

for (const [network, prefix] of [
  ['::', 96],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  PRIVATE_6.addSubnet(network, prefix, 'ipv6');
}

const LINK_LOCAL = new BlockList();
LINK_LOCAL.addSubnet('169.254.0.0', 16, 'ipv4');
LINK_LOCAL.addAddress('168.63.129.16', 'ipv4');
LINK_LOCAL.addAddress('100.100.100.200', 'ipv4');
LINK_LOCAL.addAddress('192.0.0.192', 'ipv4');
LINK_LOCAL.addSubnet('fe80::', 10, 'ipv6');
LINK_LOCAL.addAddress('fd00:ec2::254', 'ipv6');

/** True for everything that is not a public address, including what is no address at all. */
export function isPrivateAddress(address: string): boolean {
  const plain = address.split('%')[0] ?? '';
  const version = isIP(plain);
  if (version === 0) return true;
  return version === 4 ? PRIVATE_4.check(plain, 'ipv4') : PRIVATE_6.check(plain, 'ipv6');
}

/** Where machines learn about themselves, credentials included; and whatever else answers on the same wire only. */
export function isLinkLocal(address: string): boolean {
  const version = isIP(address.split('%')[0] ?? '');
  return version === 0 || LINK_LOCAL.check(address.split('%')[0] ?? '', version === 4 ? 'ipv4' : 'ipv6');
}
