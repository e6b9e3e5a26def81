// A run of the agent in the part of a role: what its files say about it, and its skills beside those of the project.
import { readInstructions } from '../../jobs/pin.ts';
import type { Index, ListedSkill } from '../../registry/discover.ts';
import type { Role } from '../../registry/role/role.ts';
import { skillOfRole } from '../../registry/role/skill.ts';
import type { Runtime } from '../runtime.ts';
import type { WantedRole } from './role.ts';

export function wantedRole(role: Role): WantedRole {
  const { name, allowedTools, maxTurns } = role;
  const instructions = readInstructions(role);
  return {
    name,
    ...(instructions !== undefined && { instructions }),
    ...(allowedTools && { allowedTools }),
    ...(maxTurns !== undefined && { maxTurns }),
  };
}

/** The skills of the role stand beside those of the project, highest first. */
export function withSkillsOf(role: Role, runtime: Runtime): Runtime {
  const own = role.skills.flatMap(({ name }) => skillOfRole(role, name) ?? []);
  const listed = own.map((skill): ListedSkill => {
    const { description, userInvocable } = skill.manifest;
    return { ...skill, description, userInvocable };
  });
  const add = (index: Index): Index => ({ ...index, skills: [...listed, ...index.skills] });
  return runtime.derive({ index: (options) => add(runtime.index(options)) });
}
