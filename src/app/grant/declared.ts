// Variables that calls of a grant are handed because their skill asks for them in its own words.
import type { Grant } from '../../policy/grant/grant.ts';
import type { SkillEntry } from '../../registry/discover.ts';

type DeclaringSkill = Pick<SkillEntry, 'manifest'> & Partial<Pick<SkillEntry, 'kind'>>;

/** Where files may change, so may what they ask for, and such a grant hands over none. */
export function declaredVariables({ target, bound, reach }: Grant, skill: DeclaringSkill): string[] {
  const runsOwnWords =
    ['action', 'script'].includes(target.kind) || (target.kind === 'command' && skill.kind === 'command');
  if (!runsOwnWords || 'follow' in bound) return [];
  return (skill.manifest.secrets ?? []).filter((name) => reach?.variables.includes(name) !== true);
}
