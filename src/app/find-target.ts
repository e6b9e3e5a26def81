// The skill a person named, one of a role or an installed one; where there is none, the nearest names of both.
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import type { Text } from '../base/language.ts';
import { nearest, visible } from '../base/text.ts';
import { calledName } from '../registry/called-name.ts';
import type { Index, SkillEntry } from '../registry/discover.ts';
import { findRoleSkill, listRoles, type Role } from '../registry/role/role.ts';
import { findSkill } from './find-skill.ts';
import type { Runtime } from './runtime.ts';

export interface Target {
  readonly skill: SkillEntry;
  /** As the door finds it again. */
  readonly reference: string;
  readonly role?: Role;
  /** The skills there are, where they had to be read. */
  readonly index?: Index;
}

/**
 * `role/skill` names a role's skill first, and so does its bare name in the folder of that role. Throws a Fault with the
 * nearest names, or with what is wrong with the role.
 */
export async function findTarget(written: string, source: string | undefined, runtime: Runtime): Promise<Target> {
  const reference = source === undefined ? inRole(written, runtime) : undefined;
  const ofRole = reference !== undefined && (await findRoleSkill(runtime.project, reference));
  if (ofRole) return { ...ofRole, reference };
  const index = runtime.index();
  try {
    const skill = findSkill(index, written, source);
    if (source === undefined) await refuseLookalike(written, skill, runtime);
    return { skill, reference: written, index };
  } catch (error) {
    if (source !== undefined || !(error instanceof Fault) || error.type !== 'SkillNotFound') throw error;
    throw await withRoleSkills(error, bare(written), runtime);
  }
}

/** As `role/skill`, where it is written so or typed in the folder of a role. */
function inRole(written: string, { project }: Runtime): string | undefined {
  if (written.includes('/')) return written;
  const [top, role] = path.relative(project, process.cwd()).split(path.sep);
  return top === 'agents' && role !== undefined ? `${role}/${bare(written)}` : undefined;
}

function bare(written: string): string {
  return written.replace(/^@/, '');
}

/** A skill that only looks alike never answers for one that has the very name in a role. */
async function refuseLookalike(written: string, skill: SkillEntry, { project }: Runtime): Promise<void> {
  const name = bare(written);
  if (isCalled(skill, name) || name.includes(':')) return;
  const roles = (await listRoles(project)).filter(({ skills }) => skills.some((one) => one.name === name));
  if (roles.length === 0) return;
  const suggestions = [...roles.map((role) => `${role.name}/${name}`), calledName(skill)];
  const list = suggestions.map(visible);
  throw new Fault(
    'Usage',
    { en: `${visible(name)} may mean ${list.join(' or ')}`, zh: `${visible(name)} 可能指 ${list.join(' 或 ')}` },
    {
      details: { skill: name, suggestions },
      hint: { en: `Write ${list[0]} or ${list.at(-1)}.`, zh: `请写 ${list[0]} 或 ${list.at(-1)}。` },
    },
  );
}

/** Whether the name is that of the skill, letter by letter. */
function isCalled({ name, folderName }: SkillEntry, written: string): boolean {
  const spelled = written.replace(/(?<=.)@[^@]*$/, '');
  return [name, folderName, path.posix.basename(folderName)].some((one) => one === written || one === spelled);
}

/** The same failure, with what roles have to offer. */
async function withRoleSkills(fault: Fault, written: string, { project }: Runtime): Promise<Fault> {
  const roles = await listRoles(project);
  const hint = shutOut(written, roles) ?? offer(written, roles, fault);
  return hint ? new Fault(fault.type, fault.detail, { details: hint.details, hint: hint.text }) : fault;
}

interface Hint {
  readonly text: Text;
  readonly details: Record<string, unknown>;
}

/** A script that is there, but not in the list of its role. */
function shutOut(written: string, roles: readonly Role[]): Hint | undefined {
  const [role, name] = written.split('/');
  const found = roles.find((one) => one.name === role)?.unlisted.find((one) => one.name === name);
  if (!found) return undefined;
  const [file, entry] = [visible(`agents/${role}/agent.yaml`), visible(found.entry)];
  return {
    text: {
      en: `${entry} is there, but skills in ${file} does not list it: add \`- {name: ${visible(found.name)}, entry: ${entry}}\`.`,
      zh: `${entry} 存在，但 ${file} 的 skills 未列出它: 请加入 \`- {name: ${visible(found.name)}, entry: ${entry}}\`。`,
    },
    details: { skill: written, unlisted: found.entry },
  };
}

/** Near names of roles' skills, then those of installed ones. */
function offer(written: string, roles: readonly Role[], { details }: Fault): Hint | undefined {
  const names = roles.flatMap((role) => role.skills.map(({ name }) => `${role.name}/${name}`));
  const last = written.split('/').at(-1) ?? '';
  const near = [
    ...nearest(written, names),
    ...names.filter((name) => nearest(last, [name.split('/').at(-1) ?? '']).length > 0),
    ...names.filter((name) => name.split('/')[0] === written.split('/')[0] && written.includes('/')),
  ];
  if (near.length === 0) return undefined;
  const known = Array.isArray(details?.suggestions) ? details.suggestions.map(String) : [];
  const suggestions = [...new Set([...near, ...known])].slice(0, 3);
  const list = suggestions.map(visible).join(', ');
  return {
    text: { en: `Did you mean ${list}?`, zh: `您是否想找 ${list}？` },
    details: { ...details, suggestions },
  };
}
