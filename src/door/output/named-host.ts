// Hosts that programs say they could not find or reach, as resolvers and the usual clients word it.
import { canonicalHost, isAddress } from '../../base/host/name.ts';
import { showHostRule } from '../../base/host-rule.ts';

const NAME = `['"‘“]?([a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)`;

const SAID: readonly RegExp[] = [
  // Node, npm.
  new RegExp(`getaddrinfo (?:ENOTFOUND|EAI_AGAIN) ${NAME}`, 'gi'),
  // curl, git, ssh, wget.
  new RegExp(`(?:resolve host(?:name| address)?|resolve proxy):? ${NAME}`, 'gi'),
  // requests, urllib3, pip; the port stands beside it.
  new RegExp(String.raw`HTTPS?ConnectionPool\(host=${NAME}['"], port=([0-9]{1,5})`, 'gi'),
  new RegExp(`Failed to resolve ${NAME}`, 'gi'),
  // Go.
  new RegExp(String.raw`\blookup ${NAME}(?: on [^ ]+)?:`, 'gi'),
  // apt, Ruby, PHP.
  new RegExp(`(?:Failed to open TCP connection to|getaddrinfo for) ${NAME}`, 'gi'),
];

const USUAL_PORTS = ['443', '80'];
const MOST = 5;

/** As `grants add --host` reads them; this machine and its short names are none. */
export function hostsNamedIn(text: string): string[] {
  const found = SAID.flatMap((pattern) => [...text.matchAll(pattern)]).flatMap(([, written = '', port]) => {
    const host = canonicalHost(written);
    if (host === undefined || isAddress(host) || !host.includes('.') || host.endsWith('.localhost')) return [];
    return [showHostRule({ host, ...(port !== undefined && !USUAL_PORTS.includes(port) && { port: Number(port) }) })];
  });
  return [...new Set(found)].slice(0, MOST);
}
