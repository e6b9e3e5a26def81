// What keeps a schedule from running, or soon will: told by `jobs list`, `doctor`, /health and a metric.
import type { Text } from '../base/language.ts';
import { visible } from '../base/text.ts';
import type { Job } from '../store/queue.ts';
import type { Lack } from './able.ts';
import type { GrantNeed } from './grant-need.ts';

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
    stopped && { kind: 'stopped' as const, says: stopped, command: `skillwright jobs enable ${visible(id)}` },
    facts.key && keyTrouble(facts.key),
    facts.grant && grantTrouble(facts.grant, now),
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
  const { id, expires, skill } = need.grant;
  if (expires === null || expires - now > SOON_MS) return undefined;
  const at = isoMinute(expires);
  return {
    kind: 'grant-ending',
    says: { en: `the grant ${id} ends at ${at}`, zh: `授权 ${id} 将于 ${at} 到期` },
    command: `skillwright grants add ${visible(skill)} …`,
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
