// What a schedule is pinned to: digest of the files and facts of its skill, or of the text and limits that guide its prompt.

import { canonicalJson } from '../base/json.ts';
import { readTextIfThere } from '../base/read-file.ts';
import { type Digest, makeDigest } from '../base/value/digest.ts';
import { findRole, type Role } from '../registry/role/role.ts';
import { boundDigest, skillOfRole } from '../registry/role/skill.ts';
import { digestSkill } from '../skill/digest.ts';

type Pinned = { readonly skill: string } | { readonly prompt: string };

/** Undefined when the role or the skill does not exist. Throws a Fault for files that cannot belong to a skill. */
export async function digestOfTarget(
  project: string,
  roleName: string,
  target: Pinned,
  digestOf = digestFolder,
): Promise<Digest | undefined> {
  const role = await findRole(project, roleName);
  if (!role?.usable) return undefined;
  if ('prompt' in target) return digestOfGuidance(role);
  const skill = skillOfRole(role, target.skill);
  const digest = skill && digestOf(skill.folder);
  return skill && digest !== undefined ? boundDigest(skill, digest) : undefined;
}

function digestFolder(folder: string): Digest | undefined {
  return digestSkill(folder).digest;
}

export interface Pinnable {
  /** `role/skill`, or the role alone for its prompts. */
  readonly name: string;
  readonly digest: Digest;
}

/** Everything of a role that a job can be pinned to; `digestOf` is undefined for files that cannot belong to a skill. */
export function pinnablesOf(role: Role, digestOf: (folder: string) => Digest | undefined): Pinnable[] {
  if (!role.usable) return [];
  const skills = role.skills.flatMap(({ name }): Pinnable[] => {
    const skill = skillOfRole(role, name);
    const digest = skill && digestOf(skill.folder);
    return skill && digest !== undefined ? [{ name: skill.name, digest: boundDigest(skill, digest) }] : [];
  });
  return [...skills, { name: role.name, digest: digestOfGuidance(role) }];
}

export function readInstructions({ instructions }: Role): string | undefined {
  return instructions === undefined ? undefined : readTextIfThere(instructions);
}

function digestOfGuidance(role: Role): Digest {
  const { allowedTools = null, maxTurns = null } = role;
  const text = readInstructions(role) ?? null;
  return makeDigest(`skillwright role 1\n${canonicalJson({ text, allowedTools, maxTurns })}`);
}
