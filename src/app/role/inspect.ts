// One role with its texts, whether it was understood or not.
import { readTextIfThere } from '../../base/read-file.ts';
import { requireRole } from '../../jobs/executor.ts';
import { findRole, type Role } from '../../registry/role/role.ts';
import type { Runtime } from '../runtime.ts';

export interface InspectedRole {
  readonly role: Role;
  readonly instructions?: string | undefined;
  readonly readme?: string | undefined;
}

/** A role that was not understood is shown with what is wrong; throws a Fault for one that is not there. */
export async function inspectRole(name: string, { project }: Runtime): Promise<InspectedRole> {
  const role = (await findRole(project, name)) ?? (await requireRole(project, name));
  return { role, instructions: textIn(role.instructions), readme: textIn(role.readme) };
}

function textIn(file: string | undefined): string | undefined {
  return file && (readTextIfThere(file) ?? '');
}
