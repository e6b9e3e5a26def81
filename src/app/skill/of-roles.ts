// The skills of the project's roles, in the shape of a list of skills.
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { ListedSkill, SkillEntry } from '../../registry/discover.ts';
import type { Runtime } from '../runtime.ts';

/** Where the roles of a project are. */
export function rolesFolder({ project }: Pick<Runtime, 'project'>): string {
  return path.join(project, 'agents');
}

/** They are of the source `project`; none for any other. */
export async function skillsOfRoles(runtime: Runtime, source: string | undefined): Promise<ListedSkill[]> {
  if (source !== undefined && source !== 'project') return [];
  if (!existsSync(rolesFolder(runtime))) return [];
  // Loaded on request: most projects have no roles, and every list would wait for it.
  const { allRoleSkills } = await import('../../registry/role/role.ts');
  return (await allRoleSkills(runtime.project)).map(toListed);
}

function toListed(skill: SkillEntry): ListedSkill {
  const { description, userInvocable } = skill.manifest;
  return { ...skill, description, userInvocable };
}
