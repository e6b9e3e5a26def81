// A person's consent that was given before a test begins: variables for the code of one skill, as it is now.
import path from 'node:path';
import { NO_REACH } from '../../../src/policy/consent/reach.ts';
import { openGrants } from '../../../src/policy/grant/store.ts';
import { digestSkill } from '../../../src/skill/digest.ts';
import type { World } from '../agent-support.ts';

export function consentTo<Place extends Pick<World, 'project' | 'home'>>(
  place: Place,
  skill: string,
  ...variables: string[]
): Place {
  const { digest } = digestSkill(path.join(place.project, '.agent/skills', skill));
  openGrants(place.home, place.project).add({
    skill,
    bound: { digest },
    target: { kind: 'code' },
    network: false,
    writes: false,
    reach: { ...NO_REACH, variables },
    tier: 'S1',
    created: Date.now(),
    expires: null,
  });
  return place;
}
