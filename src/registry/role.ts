// Roles of a project: agents/<role>/agent.yaml, the text that guides the role, and its skills, most of them single files.
import { type Dirent, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Diagnostic } from '../base/diagnostic.ts';
import { Fault } from '../base/errors.ts';
import { isNotFound, readTextIfThere } from '../base/files.ts';
import { isInside, realPath } from '../base/paths.ts';
import { visible } from '../base/text.ts';
import type { ToolRule } from '../skill/skill.ts';
import { parseToolList } from '../skill/tool-list.ts';
import { parseYaml } from '../skill/yaml.ts';
import type { SkillEntry } from './discover.ts';
import type { RoleFile, RoleIssue, ScheduleEntry } from './role-schema.ts';

export interface RoleSkill {
  readonly name: string;
  /** Relative to the folder of the role. */
  readonly entry: string;
  readonly description?: string;
  /** Seconds. */
  readonly timeout?: number;
  readonly network: boolean;
  readonly deterministic: boolean;
}

export interface Role {
  readonly name: string;
  readonly folder: string;
  readonly file: string;
  readonly description?: string;
  readonly skills: readonly RoleSkill[];
  readonly schedule: readonly ScheduleEntry[];
  readonly secrets: readonly string[];
  /** Absent: no restriction of its own. Empty, also where the list cannot be read: no tool at all. */
  readonly allowedTools?: readonly ToolRule[];
  readonly maxTurns?: number;
  /** The text that says how the role behaves, and the one about its skills. */
  readonly instructions?: string;
  readonly readme?: string;
  /** False when agent.yaml itself was not understood: then nothing of the role runs. */
  readonly usable: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

const FILES = ['agent.yaml', 'agent.yml'];
const SKILL_FOLDER = '.claude/skills';
const SCRIPT = /\.(?:py|mjs|js|cjs|ts|mts|sh|rb|pl)$/;
const SIZE_LIMIT = 64 * 1024;

export async function listRoles(project: string): Promise<Role[]> {
  const roles: Role[] = [];
  for (const name of namesOf(project)) {
    const role = await findRole(project, name);
    if (role) roles.push(role);
  }
  return roles;
}

/** Undefined where there is no such role; a role whose file is broken is there and says why. */
export async function findRole(project: string, name: string): Promise<Role | undefined> {
  // Chosen from the list, so that no name leads out of the folder.
  if (!namesOf(project).includes(name)) return undefined;
  const folder = path.join(project, 'agents', name);
  const file = FILES.map((one) => path.join(folder, one)).find((one) => isPlainFile(one));
  if (file === undefined) return undefined;
  const read = await readRoleFile(file, project);
  return 'role' in read
    ? describeRole(name, folder, file, read.role)
    : brokenRole(name, folder, file, read.diagnostics);
}

/** A skill of a role as any other skill: its files are those of the folder its entry lies in, so that what it imports counts. */
export function skillOfRole(role: Role, name: string): SkillEntry | undefined {
  const skill = role.skills.find((one) => one.name === name);
  if (!skill) return undefined;
  const folder = path.join(role.folder, codeFolder(skill.entry));
  return {
    skillId: `project:${role.name}/${name}`,
    name: `${role.name}/${name}`,
    folderName: `agents/${role.name}/${name}`,
    source: 'project',
    root: path.dirname(role.folder),
    folder,
    file: path.join(role.folder, skill.entry),
    kind: 'protocol',
    manifest: {
      name: `${role.name}/${name}`,
      description: skill.description ?? '',
      disableModelInvocation: false,
      userInvocable: true,
      runMode: 'inline',
      entry: path.relative(folder, path.join(role.folder, skill.entry)),
      network: skill.network,
      deterministic: skill.deterministic,
      ...(skill.timeout !== undefined && { timeout: skill.timeout }),
      ...(role.secrets.length > 0 && { secrets: role.secrets }),
    },
    state: 'visible',
    diagnostics: [],
  };
}

/** Throws a Fault for a role whose file was not understood. */
export function requireUsable(role: Role): void {
  const mistake = role.diagnostics.find(({ severity }) => severity === 'error');
  if (role.usable || !mistake) return;
  const advice = mistake.fix === undefined ? '' : ` (${mistake.fix})`;
  const place = mistake.line === undefined ? mistake.path : `${mistake.path}:${mistake.line}`;
  throw new Fault('ConfigInvalid', visible(`${place}: ${mistake.message}${advice}`), {
    details: { diagnostics: role.diagnostics },
  });
}

type Read = { readonly role: RoleFile } | { readonly diagnostics: readonly Diagnostic[] };

async function readRoleFile(file: string, project: string): Promise<Read> {
  const real = realPath(file) ?? file;
  if (!isInside(realPath(project) ?? project, real)) return broken(file, 'is a link that leaves the project');
  if (statSync(real).size > SIZE_LIMIT) return broken(file, `is larger than ${SIZE_LIMIT} bytes`);
  const text = readTextIfThere(file) ?? '';
  // A file with nothing in it says nothing wrong.
  const parsed = /^\s*(?:#.*\s*)*$/.test(text) ? { values: {} } : parseYaml(text);
  if ('problem' in parsed) return broken(file, parsed.problem.reason, parsed.problem.line + 1);
  const { checkRole } = await import('./role-schema.ts');
  const checked = checkRole(parsed.values);
  return 'role' in checked ? checked : { diagnostics: checked.issues.map((issue) => mistake(file, text, issue)) };
}

function describeRole(name: string, folder: string, file: string, written: RoleFile): Role {
  const { description, schedule = [], secrets = [], allowed_tools: tools, max_turns: maxTurns } = written;
  const skills = skillsOf(written, folder);
  const allowedTools = tools === undefined ? undefined : parseToolList(tools);
  return {
    name,
    folder,
    file,
    skills,
    schedule,
    secrets,
    usable: true,
    diagnostics: [
      ...skills.flatMap((skill) => checkEntry(skill, folder, file)),
      ...(tools !== undefined && allowedTools === undefined ? [unreadableTools(file)] : []),
    ],
    ...(description !== undefined && { description }),
    ...(tools !== undefined && { allowedTools: allowedTools ?? [] }),
    ...(maxTurns !== undefined && { maxTurns }),
    ...textsOf(folder),
  };
}

function brokenRole(name: string, folder: string, file: string, diagnostics: readonly Diagnostic[]): Role {
  const nothing = { skills: [], schedule: [], secrets: [], allowedTools: [] };
  return { name, folder, file, ...nothing, usable: false, diagnostics, ...textsOf(folder) };
}

function textsOf(folder: string): Pick<Role, 'instructions' | 'readme'> {
  const instructions = path.join(folder, 'CLAUDE.md');
  const readme = path.join(folder, SKILL_FOLDER, 'README.md');
  return {
    ...(isPlainFile(instructions) && { instructions }),
    ...(isPlainFile(readme) && { readme }),
  };
}

/** Those it lists; a role that lists none has every script in its skill folder. */
function skillsOf({ skills }: RoleFile, folder: string): RoleSkill[] {
  if (!skills) {
    return entriesOf(path.join(folder, SKILL_FOLDER))
      .filter((entry) => entry.isFile() && SCRIPT.test(entry.name))
      .map(({ name }) => toSkill({ name: name.replace(SCRIPT, ''), entry: `${SKILL_FOLDER}/${name}` }, folder));
  }
  return skills.map((skill) => toSkill(typeof skill === 'string' ? { name: skill } : skill, folder));
}

function toSkill(written: Exclude<NonNullable<RoleFile['skills']>[number], string>, folder: string): RoleSkill {
  const { name, description, timeout, network = false, deterministic = true } = written;
  const entry = path.posix.normalize(written.entry ?? defaultEntry(name, folder));
  const optional = { ...(description !== undefined && { description }), ...(timeout !== undefined && { timeout }) };
  return { name, entry, network, deterministic, ...optional };
}

function defaultEntry(name: string, folder: string): string {
  const files = entriesOf(path.join(folder, SKILL_FOLDER)).map((entry) => entry.name);
  const found = files.find((file) => SCRIPT.test(file) && file.replace(SCRIPT, '') === name);
  return `${SKILL_FOLDER}/${found ?? `${name}.py`}`;
}

function checkEntry({ name, entry }: RoleSkill, folder: string, file: string): Diagnostic[] {
  const found = (code: string, message: string, fix: string): Diagnostic[] => [
    { code, severity: 'error', path: file, message: visible(message), fix },
  ];
  const real = realPath(path.join(folder, entry));
  if (path.isAbsolute(entry) || !isInside(folder, path.join(folder, entry)))
    return found('entry-outside', `entry of ${name} leaves the folder of the role`, 'name a file below agent.yaml');
  if (real === undefined || !statSync(real).isFile())
    return found('entry-missing', `entry of ${name} is not there: ${entry}`, 'write the script, or correct its path');
  if (!isInside(realPath(folder) ?? folder, real))
    return found('entry-outside', `entry of ${name} is a link that leaves the role`, 'put the file itself there');
  return [];
}

/** The first folder on the way to the entry; what lies beside agent.yaml belongs to the whole role. */
function codeFolder(entry: string): string {
  if (entry.startsWith(`${SKILL_FOLDER}/`)) return SKILL_FOLDER;
  const [first = '', ...rest] = entry.split('/');
  return rest.length === 0 ? '' : first;
}

function unreadableTools(file: string): Diagnostic {
  return {
    code: 'tools-unreadable',
    severity: 'error',
    path: file,
    message: 'allowed_tools cannot be read: the role may use no tool at all',
    fix: 'allowed_tools: [Read, run_script]',
  };
}

function mistake(file: string, text: string, { key, message, fix }: RoleIssue): Diagnostic {
  const at = text.split(/\r?\n/).findIndex((line) => line.replace(/^[\s-]+/, '').startsWith(`${key}:`));
  const place = key === '' || at < 0 ? {} : { line: at + 1 };
  return { code: 'role-invalid', severity: 'error', path: file, ...place, message, ...(fix !== undefined && { fix }) };
}

function broken(file: string, message: string, line?: number): { diagnostics: Diagnostic[] } {
  const place = line === undefined ? {} : { line };
  return {
    diagnostics: [{ code: 'role-invalid', severity: 'error', path: file, ...place, message: visible(message) }],
  };
}

function namesOf(project: string): string[] {
  const folder = path.join(project, 'agents');
  const inside = (name: string) => isInside(realPath(project) ?? project, realPath(path.join(folder, name)) ?? '/');
  return entriesOf(folder)
    .filter((entry) => !entry.isFile() && inside(entry.name))
    .map(({ name }) => name)
    .sort();
}

function isPlainFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}
