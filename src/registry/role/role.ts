// Roles of a project: agents/<role>/agent.yaml, the text that guides the role, and its skills, most of them single files.
import { type Dirent, statSync } from 'node:fs';
import path from 'node:path';
import { type Diagnostic, diagnose, readerFailed } from '../../base/diagnostic.ts';
import { Fault } from '../../base/errors.ts';
import type { Text } from '../../base/language.ts';
import { isInside, realPath } from '../../base/paths.ts';
import { entriesIfThere, errorCode } from '../../base/read-file.ts';
import { visible } from '../../base/text.ts';
import { parseToolList } from '../../skill/read/tool-list.ts';
import { parseYaml } from '../../skill/read/yaml.ts';
import type { ToolRule } from '../../skill/skill.ts';
import type { SkillEntry } from '../discover.ts';
import { rememberFiles } from '../remember-file.ts';
import { linesOf, type RoleLines } from './line.ts';
import type { RoleFile, RoleIssue, ScheduleEntry } from './schema.ts';
import { type RoleSkill, readRoleSkills, skillOfRole, type UnlistedSkill } from './skill.ts';
import { findTexts, type RoleTexts } from './text.ts';

export interface Role extends RoleTexts {
  readonly name: string;
  readonly folder: string;
  readonly file: string;
  readonly description?: string;
  readonly skills: readonly RoleSkill[];
  /** What lies beside them and is not in the list. */
  readonly unlisted: readonly UnlistedSkill[];
  readonly schedule: readonly ScheduleEntry[];
  readonly secrets: readonly string[];
  /** Where its skills and schedules stand in the file. */
  readonly lines: RoleLines;
  /** Absent: no restriction of its own. Empty, also where the list cannot be read: no tool at all. */
  readonly allowedTools?: readonly ToolRule[];
  readonly maxTurns?: number;
  /** False when agent.yaml itself is invalid: then nothing of the role runs. */
  readonly usable: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

const FILES = ['agent.yaml', 'agent.yml'];
const SIZE_LIMIT = 64 * 1024;

export async function listRoles(project: string): Promise<Role[]> {
  const roles: Role[] = [];
  for (const name of namesOf(project)) {
    const role = await findRole(project, name);
    if (role) roles.push(role);
  }
  return roles;
}

/** Undefined when there is no such role; a role with a broken file exists and reports why. */
export async function findRole(project: string, name: string): Promise<Role | undefined> {
  // Chosen from the list, so that no name leads out of the folder.
  if (!namesOf(project).includes(name)) return undefined;
  const folder = path.join(project, 'agents', name);
  const file = FILES.map((one) => path.join(folder, one)).find((one) => isPlainFile(one));
  if (file === undefined) return undefined;
  const place = { name, folder, file, project };
  try {
    const read = await readRoleFile(file, project);
    return 'role' in read ? describeRole(place, read) : brokenRole(place, read.diagnostics);
  } catch (error) {
    // A failure in the files of one role does not affect the others.
    return { ...NOTHING, name, folder, file, diagnostics: [readerFailed(file, error)] };
  }
}

/** `role/skill`; undefined where there is no such role or skill. Throws a Fault for a role with an invalid file. */
export async function findRoleSkill(
  project: string,
  reference: string,
): Promise<{ readonly role: Role; readonly skill: SkillEntry } | undefined> {
  const [name = '', skillName = '', ...rest] = reference.replace(/^@/, '').split('/');
  if (skillName === '' || rest.length > 0) return undefined;
  const role = await findRole(project, name);
  if (!role) return undefined;
  requireUsable(role);
  const skill = skillOfRole(role, skillName);
  return skill && { role, skill };
}

export async function allRoleSkills(project: string): Promise<SkillEntry[]> {
  const roles = await listRoles(project);
  return roles.flatMap((role) => role.skills.flatMap(({ name }) => skillOfRole(role, name) ?? []));
}

/** Throws a Fault for a role with an invalid file. */
export function requireUsable(role: Role): void {
  const mistake = role.diagnostics.find(({ severity }) => severity === 'error');
  if (!role.usable && mistake) throw mistakeInRole(mistake, role.diagnostics);
}

export function mistakeInRole(mistake: Diagnostic, diagnostics: readonly Diagnostic[]): Fault {
  const place = mistake.line === undefined ? mistake.path : `${mistake.path}:${mistake.line}`;
  const say = ({ message, fix }: Pick<Diagnostic, 'message' | 'fix'>) =>
    visible(`${place}: ${message}${fix === undefined ? '' : ` (${fix})`}`);
  const said = { en: say(mistake), zh: say({ ...mistake, ...mistake.zh }) };
  return new Fault('ConfigInvalid', said, { details: { diagnostics }, hint: MEND_ROLE });
}

const MEND_ROLE: Text = {
  en: 'Correct it; `skillwright roles lint` names every mistake, `skillwright schema role` prints the format.',
  zh: '请修正；`skillwright roles lint` 指出每处错误，`skillwright schema role` 输出格式。',
};

type Read = { readonly role: RoleFile; readonly lines: RoleLines } | { readonly diagnostics: readonly Diagnostic[] };

/** Memoized until the file changes. */
const understood = rememberFiles<Promise<Read>>();

async function readRoleFile(file: string, project: string): Promise<Read> {
  const real = realPath(file) ?? file;
  if (!isInside(realPath(project) ?? project, real))
    return broken(file, { en: 'is a link that leaves the project', zh: '是指向项目之外的链接' });
  if (statSync(real).size > SIZE_LIMIT)
    return broken(file, { en: `is larger than ${SIZE_LIMIT} bytes`, zh: `超过 ${SIZE_LIMIT} 字节` });
  return await understood(file, real, (text) => understandRole(file, text));
}

async function understandRole(file: string, text: string): Promise<Read> {
  // An empty file has no errors.
  const parsed = /^\s*(?:#.*\s*)*$/.test(text) ? { values: {} } : parseYaml(text);
  if ('problem' in parsed) {
    const { reason, line } = parsed.problem;
    return broken(file, { en: reason, zh: `无法读取 YAML: ${reason}` }, line + 1);
  }
  const { checkRole } = await import('./schema.ts');
  const checked = checkRole(parsed.values);
  if ('role' in checked) return { ...checked, lines: linesOf(text) };
  return { diagnostics: checked.issues.map((issue) => mistake(file, text, issue)) };
}

type UnderstoodRole = Extract<Read, { readonly role: RoleFile }>;

interface RolePlace {
  readonly name: string;
  readonly folder: string;
  readonly file: string;
  readonly project: string;
}

function describeRole({ name, folder, file, project }: RolePlace, { role: written, lines }: UnderstoodRole): Role {
  const { description, schedule = [], secrets = [], allowed_tools: tools, max_turns: maxTurns } = written;
  const { skills, unlisted, diagnostics } = readRoleSkills(written, { folder, file, lines: lines.skills });
  const allowedTools = tools === undefined ? undefined : parseToolList(tools);
  const found = findTexts(folder, project);
  return {
    name,
    folder,
    file,
    skills,
    unlisted,
    schedule,
    secrets,
    lines,
    usable: true,
    diagnostics: [
      ...diagnostics,
      ...(tools !== undefined && allowedTools === undefined ? [unreadableTools(file)] : []),
      ...found.diagnostics,
    ],
    ...(description !== undefined && { description }),
    ...(tools !== undefined && { allowedTools: allowedTools ?? [] }),
    ...(maxTurns !== undefined && { maxTurns }),
    ...found.texts,
  };
}

/** The defaults of a role with an invalid file. */
const NO_LINES: RoleLines = { skills: [], schedule: [] };
const NOTHING = {
  skills: [],
  unlisted: [],
  schedule: [],
  secrets: [],
  lines: NO_LINES,
  allowedTools: [],
  usable: false,
} as const;

function brokenRole({ name, folder, file, project }: RolePlace, diagnostics: readonly Diagnostic[]): Role {
  return { name, folder, file, ...NOTHING, diagnostics, ...findTexts(folder, project).texts };
}

function unreadableTools(file: string): Diagnostic {
  return diagnose({
    code: 'tools-unreadable',
    severity: 'error',
    path: file,
    message: {
      en: 'allowed_tools cannot be read: the role may use no tool at all',
      zh: 'allowed_tools 无法识别: 该角色不能使用任何工具',
    },
    fix: 'allowed_tools: [Read, run_script]',
  });
}

function mistake(file: string, text: string, { key, message, fix }: RoleIssue): Diagnostic {
  const at = text.split(/\r?\n/).findIndex((line) => line.replace(/^[\s-]+/, '').startsWith(`${key}:`));
  const place = key === '' || at < 0 ? {} : { line: at + 1 };
  return diagnose({ code: 'role-invalid', severity: 'error', path: file, ...place, message, fix });
}

function broken(file: string, { en, zh }: Text, line?: number): { diagnostics: Diagnostic[] } {
  const place = { path: file, ...(line !== undefined && { line }) };
  const message = { en: visible(en), zh: visible(zh) };
  return { diagnostics: [diagnose({ code: 'role-invalid', severity: 'error', ...place, message })] };
}

function namesOf(project: string): string[] {
  const folder = path.join(project, 'agents');
  const inside = (name: string) => isInside(realPath(project) ?? project, realPath(path.join(folder, name)) ?? '/');
  return entriesOf(folder)
    .filter((entry) => !entry.isFile() && inside(entry.name))
    .map(({ name }) => name)
    .sort();
}

function entriesOf(folder: string): Dirent[] {
  try {
    return entriesIfThere(folder);
  } catch (error) {
    throw new Fault('PermissionDenied', visible(`${folder} (${errorCode(error)})`), { cause: error });
  }
}

function isPlainFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}
