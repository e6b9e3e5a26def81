// What the code of a scheduled action may reach by grants, and what of it was lost when one ended or the files changed.
import { consentFor } from '../door/consent/consent.ts';
import { isEmptyReach, type Reach, reachWithout } from '../policy/consent/reach.ts';
import { type Grant, isExpired } from '../policy/grant/grant.ts';
import { calledName } from '../registry/called-name.ts';
import type { SkillEntry } from '../registry/discover.ts';
import { boundDigest } from '../registry/role/skill.ts';
import { digestIfSound } from '../skill/digest.ts';
import type { LintPlace, SkillTarget } from './grant-need.ts';

export interface ReachNeed {
  /** Those that say what it may reach. */
  readonly grants: readonly Grant[];
  readonly lost?: LostReach;
}

export interface LostReach {
  /** The newest one that said so. */
  readonly grant: Grant;
  readonly why: 'expired' | 'changed';
  /** What no other grant says by now. */
  readonly reach: Reach;
}

export function reachNeed(skill: SkillEntry, { action, params }: SkillTarget, place: LintPlace): ReachNeed {
  const digest = digestIfSound(skill);
  if (!digest) return { grants: [] };
  const granted = { script: skill.manifest.entry ?? '', action, params };
  const work = { tool: 'run_script', skill, digest, network: skill.manifest.network, granted } as const;
  const { grants, reach } = consentFor(work, place.tier, place.grants);
  const lost = lostBy({ name: calledName(skill), digest: boundDigest(skill, digest) }, reach, place.grants);
  return { grants, ...(lost && { lost }) };
}

/** A grant for an action that ended is missed by the action itself; here count those for code. */
function lostBy(
  code: { readonly name: string; readonly digest: string },
  now: Reach,
  { grants, clock }: LintPlace['grants'],
): LostReach | undefined {
  const newestFirst = grants().toSorted((a, b) => b.created - a.created);
  for (const grant of newestFirst) {
    if (grant.skill !== code.name || grant.target.kind !== 'code' || !grant.reach) continue;
    const isChanged = 'digest' in grant.bound && grant.bound.digest !== code.digest;
    const why = isExpired(grant, clock.now()) ? 'expired' : isChanged ? 'changed' : undefined;
    const reach = reachWithout(grant.reach, now);
    if (why && !isEmptyReach(reach)) return { grant, why, reach };
  }
  return undefined;
}
