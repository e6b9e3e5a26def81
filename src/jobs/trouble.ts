// What keeps a schedule from running, or soon will: told by `jobs list`, `doctor`, /health and a metric.

import type { Text } from '../base/language.ts';
import { typedWord } from '../base/text/shell-word.ts';
import { visible } from '../base/text.ts';
import type { Reach } from '../policy/consent/reach.ts';
import { reachOptions, sayReachShortly } from '../policy/consent/say-reach.ts';
import type { Grant } from '../policy/grant/grant.ts';
import { tierOption } from '../policy/tier.ts';
import type { Job } from '../store/queue.ts';
import type { Lack } from './able.ts';
import type { GrantNeed } from './grant-need.ts';
import type { LostReach, ReachNeed } from './reach-need.ts';

export const TROUBLE_KINDS = [
  'stopped',
  'key-revoked',
  'grant-missing',
  'grant-expired',
  'grant-changed',
  'grant-ending',
  'waiting',
  'skipped',
  'no-worker',
  'reach-lost',
] as const;

export type TroubleKind = (typeof TROUBLE_KINDS)[number];

export interface Trouble {
  readonly kind: TroubleKind;
  readonly says: Text;
  /** What mends it. */
  readonly command: string;
}

export interface ScheduleTrouble extends Trouble {
  readonly schedule: string;
}

/** What is known of a schedule that should run. */
export interface ScheduleFacts {
  readonly id: string;
  /** Why it does not plan anything, in both languages. */
  readonly stopped?: Text | undefined;
  /** That signed its files and was revoked since. */
  readonly key?: { readonly id: string; readonly name: string; readonly revoked?: string } | undefined;
  readonly grant?: GrantNeed | undefined;
  /** What its code may reach by grants. */
  readonly reach?: ReachNeed | undefined;
  /** The newest of its jobs. */
  readonly last?: Job | undefined;
  /** One of its jobs that needs a decision. */
  readonly waiting?: Job | undefined;
  /** Why no live worker can take its jobs. */
  readonly nobody?: Lack | undefined;
}

/** A grant that ends sooner than this is told. */
const SOON_MS = 7 * 86_400_000;

export function troublesOf(facts: ScheduleFacts, now: number): Trouble[] {
  const { id, stopped, last, waiting, nobody } = facts;
  const troubles = [
    stopped && { kind: 'stopped' as const, says: stopped, command: `skillwright jobs enable ${typedWord(id)}` },
    facts.key && keyTrouble(facts.key),
    facts.grant && grantTrouble(facts.grant, now),
    ...(facts.reach ? reachTroubles(facts.reach, facts.grant, now) : []),
    waiting && waitingTrouble(waiting),
    last?.state === 'skipped' && skippedTrouble(last, waiting),
    nobody && { kind: 'no-worker' as const, ...nobody },
  ];
  return troubles.filter((trouble) => typeof trouble === 'object');
}

function keyTrouble({ id, name, revoked = '' }: NonNullable<ScheduleFacts['key']>): Trouble {
  const key = visible(`${name} (${id})`);
  return {
    kind: 'key-revoked',
    says: {
      en: `key revoked: its files were signed with ${key}, revoked at ${visible(revoked)}`,
      zh: `密钥已撤销: 其文件由 ${key} 签名，该密钥已于 ${visible(revoked)} 撤销`,
    },
    command: 'skillwright keys list',
  };
}

function grantTrouble(need: GrantNeed, now: number): Trouble | undefined {
  if (need.state !== 'granted') return { kind: `grant-${need.state}`, says: whyWaiting(need), command: need.command };
  const at = endsSoon(need.grant, now);
  if (at === undefined) return undefined;
  const { id, skill } = need.grant;
  return {
    kind: 'grant-ending',
    says: { en: `the grant ${id} ends at ${at}`, zh: `授权 ${id} 将于 ${at} 到期` },
    command: `skillwright grants add ${typedWord(skill)} …`,
  };
}

function endsSoon({ expires }: Grant, now: number): string | undefined {
  return expires === null || expires - now > SOON_MS ? undefined : isoMinute(expires);
}

/** The action itself still runs; its code finds less than it was given. */
function reachTroubles({ grants, lost }: ReachNeed, need: GrantNeed | undefined, now: number): Trouble[] {
  const others = grants.filter(({ id }) => id !== need?.grant?.id);
  const ending = others.flatMap((grant): Trouble[] => {
    const at = endsSoon(grant, now);
    return at === undefined || !grant.reach ? [] : [reachEnding(grant, grant.reach, at)];
  });
  return lost ? [...ending, reachLost(lost)] : ending;
}

function reachEnding({ id, skill, tier }: Grant, reach: Reach, at: string): Trouble {
  const may = sayReachShortly(reach);
  return {
    kind: 'grant-ending',
    says: {
      en: `the grant ${id} ends at ${at}, by which its code may ${may.en}`,
      zh: `授权 ${id} 将于 ${at} 到期，其代码凭此可以${may.zh}`,
    },
    command: ['skillwright grants add', typedWord(skill), ...reachOptions(reach), ...tierOption(tier)].join(' '),
  };
}

export function reachLost({ grant, why, reach }: LostReach): Trouble {
  const { id, skill, expires, tier } = grant;
  const may = sayReachShortly(reach);
  const because: Text =
    why === 'expired'
      ? {
          en: `the grant ${id} expired at ${isoMinute(expires ?? 0)}`,
          zh: `授权 ${id} 已于 ${isoMinute(expires ?? 0)} 过期`,
        }
      : { en: `the files changed since the grant ${id} was given`, zh: `授权 ${id} 之后文件已更改` };
  return {
    kind: 'reach-lost',
    says: {
      en: `its code may no longer ${may.en}, because ${because.en} (\`skillwright grants revoke ${id}\` if it need not)`,
      zh: `${because.zh}，其代码不再可以${may.zh}（若已不需要: \`skillwright grants revoke ${id}\`）`,
    },
    command: ['skillwright grants add', typedWord(skill), ...reachOptions(reach), ...tierOption(tier)].join(' '),
  };
}

/** Why a scheduled action without a grant waits. */
export function whyWaiting({ state, grant }: Exclude<GrantNeed, { state: 'granted' }>): Text {
  if (state === 'expired' && grant?.expires != null) {
    const at = isoMinute(grant.expires);
    return {
      en: `a schedule would wait for a decision, because the grant ${grant.id} expired at ${at}`,
      zh: `授权 ${grant.id} 已于 ${at} 过期，定时任务将等待决定`,
    };
  }
  if (state === 'changed' && grant)
    return {
      en: `a schedule would wait for a decision, because the files changed since the grant ${grant.id} was given`,
      zh: `授权 ${grant.id} 之后文件已更改，定时任务将等待决定`,
    };
  return {
    en: 'a schedule would wait for a decision, because nothing is granted',
    zh: '尚未授权，定时任务将等待决定',
  };
}

function waitingTrouble({ id, startedAt, createdAt }: Job): Trouble {
  const at = isoMinute(startedAt ?? createdAt);
  return {
    kind: 'waiting',
    says: { en: `job ${id} waits for a decision since ${at}`, zh: `任务 ${id} 自 ${at} 起等待决定` },
    command: 'skillwright interrupts',
  };
}

function skippedTrouble({ occurrence, createdAt }: Job, waiting: Job | undefined): Trouble {
  const at = isoMinute(occurrence ?? createdAt);
  return {
    kind: 'skipped',
    says: {
      en: `its time of ${at} was skipped, because the one before it had not ended`,
      zh: `${at} 的一次已跳过，因上一次尚未结束`,
    },
    command: waiting ? 'skillwright interrupts' : 'skillwright jobs history --state running',
  };
}

function isoMinute(moment: number): string {
  return `${new Date(moment).toISOString().slice(0, 16)}Z`;
}
