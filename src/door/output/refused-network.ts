// Tells a network that was refused from a service that failed, which look alike to a script, and says what would allow it.

import { showHostRule } from '../../base/host-rule.ts';
import type { Text } from '../../base/language.ts';
import type { Data } from '../../base/outcome.ts';
import { typedWord } from '../../base/text/shell-word.ts';
import { visible } from '../../base/text.ts';
import type { HostAttempt, RefusalReason } from '../../network/attempt.ts';
import { isAtLeast, OWN_NETWORK } from '../../policy/tier.ts';
import { excerptOf } from '../../process/excerpt.ts';
import type { Executed } from '../executed.ts';
import { hostsNamedIn } from './named-host.ts';

const UNREACHED =
  /getaddrinfo|name resolution|resolve host|Name or service not known|Network is unreachable|Connection refused|connect EPERM|fetch failed|urlopen error/i;
// As whole words in capitals: Python's FileNotFoundError is about no host.
const ERROR_NUMBERS = /\b(?:ENETUNREACH|EAI_AGAIN|ENOTFOUND|ECONNREFUSED)\b/;
const REFUSED = /Operation not permitted|EPERM|PermissionError/;
const SOCKETS = /socket|urllib|http|connect/i;

/** Why a call failed that looked for a network it does not have; undefined where it did not. */
export function networkHint(executed: Executed, said = ''): Text | undefined {
  const hosts = refusedHosts(executed);
  if (hosts.length > 0) return hostHint(hosts, executed);
  return wasNetworkRefused(executed, said) ? noNetwork(executed, said) : undefined;
}

/** Without a proxy nothing of ours sees where it wanted to go; most programs say it. */
function noNetwork(executed: Executed, said: string): Text {
  const { skill, tier, ended } = executed;
  const hosts = hostsNamedIn(`${said}\n${excerptOf(ended.stderr)}`);
  if (hosts.length === 0 || skill === undefined || !isAtLeast(tier, OWN_NETWORK)) return NO_NETWORK;
  const shown = visible(hosts.join(', '));
  const command = grantHosts(hosts, skill);
  return {
    en: `${NO_NETWORK.en} It named ${shown}: \`${command}\` allows its code that much.`,
    zh: `${NO_NETWORK.zh}它提到 ${shown}: \`${command}\` 仅允许其代码访问这些。`,
  };
}

function wasNetworkRefused({ network, ended }: Executed, said: string): boolean {
  if (network) return false;
  const text = `${said}\n${excerptOf(ended.stderr)}`;
  return UNREACHED.test(text) || ERROR_NUMBERS.test(text) || (REFUSED.test(text) && SOCKETS.test(text));
}

const NO_NETWORK: Text = {
  en: 'The sandbox refused the network, not the service: this call has none. `skillwright consent <skill>` lets a skill reach single hosts; a skill asks for the whole network with `network: true` in SKILL.md or agent.yaml, and you are asked about it.',
  zh: '是沙箱拒绝了网络，而非服务出错: 此次调用没有网络。`skillwright consent <技能>` 可允许技能访问指定主机；需要整个网络的技能须在 SKILL.md 或 agent.yaml 中声明 `network: true`，届时会征求您的同意。',
};

/** Of which a consent, and nothing else, would change something. */
const BY_CONSENT: readonly RefusalReason[] = [
  ...(['not-consented', 'answered-no', 'not-answered', 'too-many-questions', 'revoked', 'private-address'] as const),
];

interface RefusedHost {
  readonly host: string;
  readonly reason: RefusalReason;
  /** What has to be consented; absent where no consent helps. */
  readonly rule?: string;
}

function refusedHosts({ attempts = [] }: Executed): RefusedHost[] {
  const found = attempts.flatMap((attempt): RefusedHost[] => {
    if (attempt.verdict !== 'refused') return [];
    const { reason } = attempt;
    const rule = BY_CONSENT.includes(reason) && { rule: ruleFor(attempt) };
    return [{ host: showHostRule(attempt), reason, ...rule }];
  });
  return [...new Map(found.map((one) => [`${one.host} ${one.reason}`, one])).values()];
}

/** For a private address the name is not enough. */
function ruleFor(attempt: HostAttempt): string {
  const { host, port, address } = attempt;
  const isPrivate = 'reason' in attempt && attempt.reason === 'private-address';
  return showHostRule({ host: isPrivate && address !== undefined ? address : host, port });
}

const MOST_SHOWN = 5;

function hostHint(refused: readonly RefusedHost[], executed: Executed): Text {
  const shown = refused.slice(0, MOST_SHOWN).map(({ host, reason }) => `${visible(host)} (${reason})`);
  const more = refused.length > MOST_SHOWN ? ` +${refused.length - MOST_SHOWN}` : '';
  const hosts = shown.join(', ') + more;
  const command = commandFor(refused, executed);
  const allow: Text =
    command === undefined
      ? { en: '', zh: '' }
      : { en: ` \`${command}\` allows it.`, zh: `\`${command}\` 可予以允许。` };
  return {
    en: `It tried to reach a host that it may not: ${hosts}.${allow.en}`,
    zh: `它试图访问未获允许的主机: ${hosts}。${allow.zh}`,
  };
}

function commandFor(refused: readonly RefusedHost[], { skill }: Executed): string | undefined {
  const rules = [...new Set(refused.flatMap(({ rule }) => rule ?? []))].slice(0, MOST_SHOWN);
  return rules.length === 0 || skill === undefined ? undefined : grantHosts(rules, skill);
}

function grantHosts(rules: readonly string[], skill: string): string {
  // Brackets of an address are more than themselves to a shell.
  const words = rules.map((rule) => `--host ${rule.includes('[') ? `'${rule}'` : rule}`);
  return `skillwright grants add ${typedWord(skill)} ${words.join(' ')}`;
}

/** What a proxy saw, for every outcome; nothing where there was none or nobody used it. */
export function hostsOf(executed: Executed): Data {
  const { attempts = [] } = executed;
  if (attempts.length === 0) return {};
  const reached = attempts.filter(({ verdict }) => verdict === 'allowed').map((attempt) => showHostRule(attempt));
  const refused = refusedHosts(executed);
  const command = commandFor(refused, executed);
  return {
    hosts: {
      reached: [...new Set(reached)],
      ...(refused.length > 0 && { refused: refused.map(({ host, reason }) => ({ host, reason })) }),
      ...(command !== undefined && { allow: command }),
    },
  };
}
