// What keeps roles from doing their work, on this machine as jobs would find it.
import type { Diagnostic } from '../../base/diagnostic.ts';
import { requireRole } from '../../jobs/executor.ts';
import type { LintPlace } from '../../jobs/grant-need.ts';
import { lintRole } from '../../jobs/lint.ts';
import { openGrants } from '../../policy/grant/store.ts';
import { findRole, listRoles, type Role } from '../../registry/role/role.ts';
import { patternFindings } from '../author/pattern.ts';
import { installedIn } from '../job/installed.ts';
import type { Runtime } from '../runtime.ts';
import { readShipped } from '../shipped.ts';

export interface LintedRole {
  readonly role: Role;
  readonly diagnostics: readonly Diagnostic[];
}

/** All roles of the project unless names are given. */
export async function lintRoles(names: readonly string[], runtime: Runtime): Promise<LintedRole[]> {
  runtime.requireConfig();
  const roles = await chooseRoles(runtime.project, names);
  const place = await lintPlace(runtime);
  return await Promise.all(
    roles.map(async (role) => ({ role, diagnostics: [...lintRole(role, place), ...(await lintPatterns(role))] })),
  );
}

async function lintPatterns({ file, skills }: Role): Promise<Diagnostic[]> {
  return (await Promise.all(skills.map(({ manifest }) => patternFindings(file, manifest)))).flat();
}

async function chooseRoles(project: string, names: readonly string[]): Promise<Role[]> {
  if (names.length === 0) return await listRoles(project);
  // A role that is not understood is what a linter is for; one that is not there is a mistake.
  return await Promise.all(names.map(async (name) => (await findRole(project, name)) ?? requireRole(project, name)));
}

/** This machine, as jobs would find it. */
export async function lintPlace(runtime: Runtime): Promise<LintPlace> {
  const { env, clock, places, home, project } = runtime;
  const grants = openGrants(home, project).list();
  return {
    env,
    policy: runtime.policyFor(),
    grants: { grants: () => grants, shipped: readShipped(runtime.builtin), clock, places },
    tier: (await runtime.sandbox()).tier,
    installed: installedIn(runtime),
  };
}
