// The skill that a job or a schedule names: one of its role's own, else one that is installed.
import type { SkillEntry } from '../registry/discover.ts';
import type { Role } from '../registry/role/role.ts';
import { skillOfRole } from '../registry/role/skill.ts';

/** In the place of its role, for a job of an installed skill that no role asked for. */
export const NO_ROLE = '';

/** By its name, or `source:name`; undefined where there is none. */
export type FindInstalled = (name: string) => SkillEntry | undefined;

export function skillOfTarget(role: Role | undefined, name: string, installed: FindInstalled): SkillEntry | undefined {
  return (role && skillOfRole(role, name)) ?? installed(name);
}
