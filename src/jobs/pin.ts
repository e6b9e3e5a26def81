// What a schedule is pinned to: digest of the files and facts of its skill, or of the text and limits that guide its prompt.

import { canonicalJson } from '../base/json.ts';
import { readTextIfThere } from '../base/read-file.ts';
import { type Digest, makeDigest } from '../base/value/digest.ts';
import { findRole, type Role } from '../registry/role/role.ts';
import { boundDigest, skillOfRole } from '../registry/role/skill.ts';
import { digestSkill, type SkillContent } from '../skill/digest.ts';
import { type FindInstalled, NO_ROLE, skillOfTarget } from './target-skill.ts';

type Pinned = { readonly skill: string } | { readonly prompt: string };

type DigestOf = (skill: SkillContent) => Digest | undefined;

/** How its files are found and hashed, where not in the usual way. */
export interface PinOptions {
  readonly digestOf?: DigestOf | undefined;
  readonly installed?: FindInstalled | undefined;
}

/** Undefined when the role or the skill does not exist. Throws a Fault for files that cannot belong to a skill. */
export async function digestOfTarget(
  project: string,
  roleName: string,
  target: Pinned,
  { digestOf = digestFiles, installed = () => undefined }: PinOptions = {},
): Promise<Digest | undefined> {
  const role = await findRole(project, roleName);
  if (roleName !== NO_ROLE && !role?.usable) return undefined;
  if ('prompt' in target) return role && digestOfGuidance(role);
  const skill = skillOfTarget(role, target.skill, installed);
  const digest = skill && digestOf(skill);
  return skill && digest !== undefined ? boundDigest(skill, digest) : undefined;
}

function digestFiles(skill: SkillContent): Digest | undefined {
  return digestSkill(skill).digest;
}

export interface Pinnable {
  /** `role/skill`, or the role alone for its prompts. */
  readonly name: string;
  readonly digest: Digest;
}

/** Everything of a role that a job can be pinned to; `digestOf` is undefined for files that cannot belong to a skill. */
export function pinnablesOf(role: Role, digestOf: DigestOf): Pinnable[] {
  if (!role.usable) return [];
  const skills = role.skills.flatMap(({ name }): Pinnable[] => {
    const skill = skillOfRole(role, name);
    const digest = skill && digestOf(skill);
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
