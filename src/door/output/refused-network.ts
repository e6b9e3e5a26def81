// Tells a network that the sandbox refused from a service that failed: both look alike to a script.
import type { Text } from '../../base/language.ts';
import { excerptOf } from '../../process/excerpt.ts';
import type { Executed } from '../executed.ts';

const UNREACHED =
  /getaddrinfo|name resolution|resolve host|Name or service not known|Network is unreachable|Connection refused|connect EPERM|fetch failed|urlopen error/i;
// As whole words in capitals: Python's FileNotFoundError is about no host.
const ERROR_NUMBERS = /\b(?:ENETUNREACH|EAI_AGAIN|ENOTFOUND|ECONNREFUSED)\b/;
const REFUSED = /Operation not permitted|EPERM|PermissionError/;
const SOCKETS = /socket|urllib|http|connect/i;

/** Whether a call without a network failed because it looked for one. */
export function wasNetworkRefused({ network, ended }: Executed, said = ''): boolean {
  if (network) return false;
  const text = `${said}\n${excerptOf(ended.stderr)}`;
  return UNREACHED.test(text) || ERROR_NUMBERS.test(text) || (REFUSED.test(text) && SOCKETS.test(text));
}

export const NO_NETWORK: Text = {
  en: 'The sandbox refused the network, not the service: this call has none. A skill asks for it with `network: true` in SKILL.md or agent.yaml, and you are asked about it.',
  zh: '是沙箱拒绝了网络，而非服务出错: 此次调用没有网络。技能须在 SKILL.md 或 agent.yaml 中声明 `network: true`，届时会征求您的同意。',
};
