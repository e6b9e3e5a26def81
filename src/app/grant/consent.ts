// What a skill would need and does not have, for a person to decide about; what they say yes to becomes one grant for its code.

import { Fault } from '../../base/errors.ts';
import { typedWord } from '../../base/text/shell-word.ts';
import { visible } from '../../base/text.ts';
import { isAtLeast, isUnconfined, type Tier, tierOption } from '../../policy/tier.ts';
import { calledName } from '../../registry/called-name.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import { NEED_KINDS, type NeedKind } from '../../skill/need/need.ts';
import { findTarget } from '../find-target.ts';
import { searchNeeds } from '../need/find.ts';
import { judgeAll } from '../need/judge.ts';
import type { JudgedNeed } from '../need/state.ts';
import { needName } from '../need/view.ts';
import type { Runtime } from '../runtime.ts';
import { type AddedGrant, addGrant } from './add.ts';
import type { AskedConsent } from './consented.ts';
import { DEFAULT_TIER } from './reach.ts';

export interface ConsentOffer {
  readonly skill: SkillEntry;
  /** All that was found. */
  readonly needs: readonly JudgedNeed[];
  /** What a yes would add. */
  readonly open: readonly JudgedNeed[];
  /** The sandbox here, where it is weaker than a grant accepts unless it says so: a yes is one for it, too. */
  readonly weaker?: Tier;
}

export async function offerConsent(
  written: string,
  source: string | undefined,
  runtime: Runtime,
): Promise<ConsentOffer> {
  runtime.requireConfig();
  const { skill } = await findTarget(written, source, runtime);
  const needs = await judgeAll(await searchNeeds(skill, runtime), skill, runtime);
  const open = needs.filter(({ state }) => state === 'not-granted');
  if (open.length === 0) return { skill, needs, open };
  const { tier } = await runtime.sandbox();
  // Without any, a grant for it is written by hand.
  const isNamed = isAtLeast(tier, DEFAULT_TIER) || isUnconfined(tier);
  return { skill, needs, open, ...(!isNamed && { weaker: tier }) };
}

/** By kind, in the order in which a person is asked. */
export function byKind(needs: readonly JudgedNeed[]): (readonly [NeedKind, readonly JudgedNeed[]])[] {
  return NEED_KINDS.flatMap((kind) => {
    const all = needs.filter((need) => need.kind === kind);
    return all.length === 0 ? [] : [[kind, all] as const];
  });
}

/** Those of the open ones that somebody named as KIND:NAME. Throws a Fault for what is none of them. */
export function chooseNamed(names: readonly string[], { open }: ConsentOffer): JudgedNeed[] {
  const nameOf = (need: JudgedNeed) => `${need.kind}:${needName(need)}`;
  return names.map((name) => {
    const found = open.find((need) => nameOf(need) === name);
    if (found) return found;
    const list = open.map(nameOf).map(visible).join(', ');
    throw new Fault(
      'Usage',
      { en: `nothing to consent to: ${visible(name)}`, zh: `没有可同意的项: ${visible(name)}` },
      { hint: { en: `Open are: ${list || 'none'}.`, zh: `待定: ${list || '无'}。` } },
    );
  });
}

/** One grant for all of them. */
export async function giveConsent(
  { skill, weaker }: ConsentOffer,
  chosen: readonly JudgedNeed[],
  source: string | undefined,
  runtime: Runtime,
): Promise<AddedGrant> {
  return await addGrant(
    {
      skill: calledName(skill),
      source,
      thing: { kind: 'code' },
      consent: consentOfNeeds(chosen),
      network: false,
      writes: false,
      tier: weaker,
      follow: false,
    },
    runtime,
  );
}

/** The same as a line that a person can type. */
export function grantCommand({ skill, open, weaker }: ConsentOffer): string {
  const words = open.map((need) => (need.kind === 'home' ? '--home' : `--${need.kind} ${typedWord(needName(need))}`));
  return ['skillwright grants add', typedWord(calledName(skill)), ...new Set(words), ...tierOption(weaker)].join(' ');
}

function consentOfNeeds(needs: readonly JudgedNeed[]): AskedConsent {
  const named = (kind: NeedKind) => needs.filter((need) => need.kind === kind).map(needName);
  return {
    hosts: named('host'),
    variables: named('variable'),
    programs: named('program'),
    devices: named('device'),
    home: named('home').length > 0,
  };
}
