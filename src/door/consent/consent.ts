// What a person lets a call reach beyond its sandbox: by grants for its code, which no text that only names the skill shares.
import type { HostRule } from '../../base/host-rule.ts';
import { canonicalJson } from '../../base/json.ts';
import type { Text } from '../../base/language.ts';
import { isEmptyReach, NO_REACH, plainReach, type Reach, unionReach } from '../../policy/consent/reach.ts';
import { hostsDoNotCount } from '../../policy/consent/say-reach.ts';
import { type Grant, grantsWithReach, type RunFile } from '../../policy/grant/grant.ts';
import { isAtLeast, NO_SANDBOX, OWN_NETWORK, type Tier } from '../../policy/tier.ts';
import type { Door } from '../door.ts';
import { type Covered, type GrantSources, grantedCall } from '../standing-grant.ts';
import type { CallEffect, Work } from '../work.ts';

/** What a call would be let reach. */
export interface Consent {
  readonly reach: Reach;
  /** The grants that say so. */
  readonly grants: readonly Grant[];
  /** What a grant says and this sandbox cannot do. */
  readonly notCounted: readonly Text[];
  /** Hosts among that: only the whole network would reach them. */
  readonly lostHosts: readonly HostRule[];
  /** Unapplied changes by others that its code would find in the layer, and could send away. */
  readonly mixed: readonly RunFile[];
}

export const NO_CONSENT: Consent = { reach: NO_REACH, grants: [], notCounted: [], lostHosts: [], mixed: [] };

/** Of what is done in this process nothing leaves a sandbox. */
export function consentOf(work: CallEffect | Work, tier: Tier | undefined, sources: GrantSources): Consent {
  return 'origin' in work ? consentFor(work, tier, sources) : NO_CONSENT;
}

/** The same, with the files of others that lie where a call with a network or variables would work. */
export async function consentInLayer(work: CallEffect | Work, tier: Tier | undefined, door: Door): Promise<Consent> {
  const consent = consentOf(work, tier, door);
  const { hosts, variables } = consent.reach;
  if (hosts.length + variables.length === 0 && !hasDeclared(work)) return consent;
  const layer = await door.workspace.made(door.sandbox);
  const left = layer?.leftByOthers(isOwnCode(work) ? work.digest : '') ?? [];
  return { ...consent, mixed: left.map(({ path, after }) => ({ path, sha256: after?.digest ?? '' })) };
}

/** Variables or the whole network, which a skill asks for in its own words. */
function hasDeclared(work: CallEffect | Work): boolean {
  return 'secrets' in work && (work.secrets.length > 0 || work.network);
}

export function consentFor(work: Covered, tier: Tier | undefined, sources: GrantSources): Consent {
  const { places, clock } = sources;
  if (!work.skill || work.digest === '') return NO_CONSENT;
  const call = grantedCall(work, tier ?? NO_SANDBOX, places.project);
  const grants = grantsWithReach(sources.grants(), call, clock.now(), places);
  if (grants.length === 0) return NO_CONSENT;
  return withinTier(unionReach(grants.map(({ reach }) => reach)), grants, tier ?? NO_SANDBOX);
}

function withinTier(reach: Reach, grants: readonly Grant[], tier: Tier): Consent {
  const { hosts } = reach;
  if (hosts.length === 0 || isAtLeast(tier, OWN_NETWORK)) return { ...NO_CONSENT, reach, grants };
  const lost = { notCounted: [hostsDoNotCount(tier)], lostHosts: hosts };
  return { ...NO_CONSENT, reach: { ...reach, hosts: [] }, grants, ...lost };
}

/** Of a consent that was shown: what counts when the call begins. A grant may have been revoked while somebody thought. */
export function consentGiven(
  work: CallEffect | Work,
  shown: Consent,
  { now, shown: wasShown }: { readonly now: Consent; readonly shown: boolean },
): Consent {
  if (isOwnCode(work)) return now;
  const isSame = canonicalJson(plainReach(now.reach)) === canonicalJson(plainReach(shown.reach));
  return wasShown && isSame ? now : NO_CONSENT;
}

/** Whether the words that run are the skill's own, at its digest, and not a text that somebody wrote in its name. */
export function isOwnCode(work: CallEffect | Work): boolean {
  return 'origin' in work && work.origin === 'skill';
}

/** What a text may be let reach that only names the skill: a yes to this very text has to show it. */
export function offeredTo(work: CallEffect | Work, { reach }: Consent): Reach | undefined {
  return 'origin' in work && work.origin === 'caller' && !isEmptyReach(reach) ? reach : undefined;
}
