// Skills of roles have actions only: whoever asks for something else of one is told how it is called.
import { Fault } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import { resolveSkill } from '../../registry/resolve.ts';
import { findRoleSkill, listRoles } from '../../registry/role/role.ts';
import type { Source } from '../../skill/skill.ts';
import { notACommand } from '../missing-action.ts';
import type { Runtime } from '../runtime.ts';

/** An installed skill of the same name is what was meant here. */
export async function refuseRoleSkill(
  { skill, source }: { readonly skill: string; readonly source?: Source },
  runtime: Runtime,
): Promise<void> {
  if (source !== undefined || !('missing' in resolveSkill(runtime.index(), skill))) return;
  const found = skill.includes('/') ? await findRoleSkill(runtime.project, skill) : undefined;
  if (found) throw notACommand(found.skill);
  const name = skill.replace(/^@/, '');
  const roles = (await listRoles(runtime.project)).filter((role) => role.skills.some((one) => one.name === name));
  if (roles.length > 0) throw ofRoles(name, roles);
}

/** What is found among the installed skills; where that is none, a skill of a role is told apart. */
export async function installedOrRefused<Found>(find: () => Found, runtime: Runtime): Promise<Found> {
  try {
    return find();
  } catch (error) {
    if (error instanceof Fault && typeof error.details?.skill === 'string')
      await refuseRoleSkill({ skill: error.details.skill }, runtime);
    throw error;
  }
}

function ofRoles(name: string, roles: readonly { readonly name: string }[]): Fault {
  const suggestions = roles.map((role) => `${role.name}/${name}`);
  const list = suggestions.map(visible).join(', ');
  return new Fault('SkillNotFound', visible(name), {
    details: { skill: name, suggestions },
    hint: {
      en: `A role has it: ${list}; \`skillwright call\` starts its actions.`,
      zh: `它属于角色: ${list}；使用 \`skillwright call\` 执行其操作。`,
    },
  });
}
