// What a skill would need and does not have, for a person to decide about; what they say yes to becomes one grant for its code.
import { Fault } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import type { Grant } from '../../policy/grant/grant.ts';
import { calledName } from '../../registry/called-name.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import { NEED_KINDS, type NeedKind } from '../../skill/need/need.ts';
import { findTarget } from '../find-target.ts';
import { findNeeds } from '../need/find.ts';
import { type JudgedNeed, judgeNeeds } from '../need/state.ts';
import { needName } from '../need/view.ts';
import type { Runtime } from '../runtime.ts';
import { addGrant } from './add.ts';
import type { AskedConsent } from './consented.ts';

export interface ConsentOffer {
  readonly skill: SkillEntry;
  /** All that was found. */
  readonly needs: readonly JudgedNeed[];
  /** What a yes would add. */
  readonly open: readonly JudgedNeed[];
}

export async function offerConsent(
  written: string,
  source: string | undefined,
  runtime: Runtime,
): Promise<ConsentOffer> {
  runtime.requireConfig();
  const { skill } = await findTarget(written, source, runtime);
  const needs = judgeNeeds(await findNeeds(skill, runtime), skill, runtime);
  return { skill, needs, open: needs.filter(({ state }) => state === 'not-granted') };
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
  { skill }: ConsentOffer,
  chosen: readonly JudgedNeed[],
  source: string | undefined,
  runtime: Runtime,
): Promise<Grant> {
  const { grant } = await addGrant(
    {
      skill: calledName(skill),
      source,
      thing: { kind: 'code' },
      consent: consentOfNeeds(chosen),
      network: false,
      writes: false,
      follow: false,
    },
    runtime,
  );
  return grant;
}

/** The same as a line that a person can type. */
export function grantCommand({ skill, open }: ConsentOffer): string {
  const words = open.map((need) => (need.kind === 'home' ? '--home' : `--${need.kind} ${needName(need)}`));
  return ['skillwright grants add', visible(calledName(skill)), ...new Set(words.map(visible))].join(' ');
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
