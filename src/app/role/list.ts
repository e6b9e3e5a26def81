// The roles of this project, what each can do and what is wrong with them.
import { type SpokenDiagnostic, speak } from '../../base/diagnostic.ts';
import type { Text } from '../../base/language.ts';
import { makeOutcome, type Outcome } from '../../base/outcome.ts';
import { listRoles, type Role } from '../../registry/role/role.ts';
import type { Runtime } from '../runtime.ts';

export interface RoleList {
  readonly outcome: Outcome;
  readonly roles: readonly Role[];
  readonly diagnostics: readonly SpokenDiagnostic[];
}

export async function listProjectRoles(runtime: Runtime): Promise<RoleList> {
  const roles = await listRoles(runtime.project);
  const found = roles.flatMap((role) => role.diagnostics);
  const diagnostics = speak(found, runtime.language);
  const data = { roles: roles.map(describe), total: roles.length, diagnostics };
  const outcome = makeOutcome(runtime.answering('skillwright', 'own'), 'success', countRoles(roles.length), data);
  return { outcome, roles, diagnostics };
}

function describe({ name, description, file, skills, schedule, usable }: Role) {
  return {
    name,
    description: description ?? null,
    path: file,
    skills: skills.map((skill) => skill.name),
    schedules: schedule.length,
    usable,
  };
}

function countRoles(count: number): Text {
  if (count === 0) return { en: 'no roles here', zh: '没有角色' };
  return { en: `${count} ${count === 1 ? 'role' : 'roles'}`, zh: `共 ${count} 个角色` };
}
