// What a grant lets a skill do and how far it reaches, as the owner's log keeps it.
import type { GrantChange } from '../../audit/owner/event.ts';
import { plainReach } from '../../policy/consent/reach.ts';
import type { Grant } from '../../policy/grant/grant.ts';
import { describeTarget } from '../../policy/grant/store.ts';

export function grantChange(grant: Omit<Grant, 'id' | 'project'>): Omit<GrantChange, 'command' | 'grant'> {
  const { skill, bound, target, network, writes, reach, tier, expires } = grant;
  return {
    skill,
    what: describeTarget(target),
    bound: 'digest' in bound ? bound.digest : bound.follow,
    network,
    writes,
    ...(reach && { reach: plainReach(reach) }),
    tier,
    ...(expires !== null && { expires: new Date(expires).toISOString() }),
  };
}
