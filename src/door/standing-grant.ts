// The standing permission for a call, if there is one; else the one that held until it expired or the files changed.
import { realPath } from '../base/paths.ts';
import {
  builtinGrant,
  findGrant,
  type Grant,
  type GrantedCall,
  isExpired,
  whyNotGranted,
} from '../policy/grant/grant.ts';
import { NO_SANDBOX, type Tier } from '../policy/tier.ts';
import type { SkillEntry } from '../registry/discover.ts';
import { boundDigest } from '../registry/role/skill.ts';
import type { Door } from './door.ts';
import type { CallEffect } from './work.ts';

export type GrantSources = Pick<Door, 'grants' | 'shipped' | 'clock' | 'places'>;
export type Covered = Pick<CallEffect, 'tool' | 'skill' | 'digest' | 'network' | 'granted'>;

export interface Standing {
  readonly grant?: Grant;
  /** Would cover the call, were the files still those it was given for. */
  readonly voided?: Grant;
  /** Would cover the call, had it not expired. */
  readonly expired?: Grant;
}

export function findStanding(work: Covered, tier: Tier | undefined, sources: GrantSources): Standing {
  const { places } = sources;
  const now = sources.clock.now();
  const call = grantedCall(work, tier ?? NO_SANDBOX, places.project);
  const own = sources.grants();
  const grant = findGrant([...builtins(work, sources), ...own], call, now, places);
  if (grant) return { grant };
  const couldCover = own.filter((one) => {
    const lasting = { ...one, expires: null };
    return isOf(one, work.skill) && whyNotGranted(lasting, asGranted(one, call), now, places) === undefined;
  });
  const voided = couldCover.find((one) => !isExpired(one, now));
  const expired = couldCover.findLast((one) => isExpired(one, now));
  return { ...(voided && { voided }), ...(expired && !voided && { expired }) };
}

export function grantedCall(work: Covered, tier: Tier, project: string): GrantedCall {
  const { tool, skill, network, granted } = work;
  const digest = skill && work.digest !== '' ? boundDigest(skill, work.digest) : undefined;
  const folder = skill && followed(skill);
  return { project, ...(digest && { digest }), ...(folder && { folder }), tool, ...granted, network, tier };
}

/** What a grant that follows changes is bound to: the folder, and of a role's skill the script, since skills share its folder. */
export function followed({ folder, file, ofRole }: SkillEntry): string {
  const place = ofRole ? file : folder;
  return realPath(place) ?? place;
}

function builtins({ skill, digest }: Covered, { shipped, places }: GrantSources): Grant[] {
  const grant =
    skill?.source === 'builtin' && digest !== ''
      ? builtinGrant(shipped, { name: skill.name, digest, project: places.project })
      : undefined;
  return grant ? [grant] : [];
}

function isOf({ skill }: Grant, entry: SkillEntry | undefined): boolean {
  return entry !== undefined && [entry.name, entry.folderName].includes(skill);
}

function asGranted({ bound, target }: Grant, call: GrantedCall): GrantedCall {
  const runs = (target.kind === 'command' || target.kind === 'shell') && { runs: target.runs ?? [] };
  return { ...call, ...('digest' in bound && { digest: bound.digest }), ...runs };
}
