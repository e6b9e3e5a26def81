// Whose grant it is: a skill, a skill of a role, one that workers fetch, or the folder of worker scripts.
import { Fault } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import { type Digest, requireDigest } from '../../base/value/digest.ts';
import { workerFolder } from '../../door/kind/worker.ts';
import type { Allowance } from '../../policy/policy.ts';
import { roleAllowance } from '../../policy/role.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import { boundDigest } from '../../registry/role/skill.ts';
import { digestSkill } from '../../skill/digest.ts';
import { findTarget } from '../find-target.ts';
import type { Runtime } from '../runtime.ts';

export interface Grantee {
  readonly skill: SkillEntry;
  readonly role?: Allowance | undefined;
}

export interface NamedGrantee {
  /** A skill or role/skill; `bin` for worker scripts. */
  readonly skill: string;
  readonly source?: string | undefined;
  /** Of a role that workers fetch: these files instead of those here. */
  readonly digest?: string | undefined;
}

export async function findGrantee({ skill, source, digest }: NamedGrantee, runtime: Runtime): Promise<Grantee> {
  if (namesWorkers(skill)) return { skill: workerFolder(runtime.places.project) };
  if (digest !== undefined) return await findFetched(skill, requireDigest(digest), runtime);
  return await findWithRole(skill, source, runtime);
}

/** The folder of worker scripts instead of a skill. */
export function namesWorkers(written: string): boolean {
  return /^bin\/?$/.test(written);
}

/** `role/skill` names a role's skill first, as `call` does. */
export async function findWithRole(written: string, source: string | undefined, runtime: Runtime): Promise<Grantee> {
  const { skill, role } = await findTarget(written, source, runtime);
  return { skill, ...(role && { role: roleAllowance(role) }) };
}

/** Throws a Fault unless the digest is that of this very skill. */
async function findFetched(written: string, digest: Digest, runtime: Runtime): Promise<Grantee> {
  const [{ findRoleSkill }, { requireFetched }] = await Promise.all([
    import('../../registry/role/role.ts'),
    import('../job/fetch-pack.ts'),
  ]);
  const found = await findRoleSkill(await requireFetched(runtime, digest), written);
  if (found && boundDigest(found.skill, digestSkill(found.skill).digest) === digest)
    return { skill: found.skill, role: roleAllowance(found.role) };
  throw new Fault('SkillNotFound', visible(written), {
    hint: { en: 'The digest belongs to another skill.', zh: '该摘要属于另一技能。' },
  });
}
