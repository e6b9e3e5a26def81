// Skills of roles have actions only: whoever asks for something else of one is told how it is called.
import { resolveSkill } from '../../registry/resolve.ts';
import { findRoleSkill } from '../../registry/role/role.ts';
import type { Source } from '../../skill/skill.ts';
import { notACommand } from '../missing-action.ts';
import type { Runtime } from '../runtime.ts';

/** An installed skill of the same name is what was meant here. */
export async function refuseRoleSkill(
  { skill, source }: { readonly skill: string; readonly source?: Source },
  runtime: Runtime,
): Promise<void> {
  if (source !== undefined || !skill.includes('/') || !('missing' in resolveSkill(runtime.index(), skill))) return;
  const found = await findRoleSkill(runtime.project, skill);
  if (found) throw notACommand(found.skill);
}
