// The skills of a role: single scripts named in agent.yaml or found beside it, and folders with a SKILL.md of their own.
import { statSync } from 'node:fs';
import path from 'node:path';
import { type Diagnostic, diagnose, readerFailed } from '../../base/diagnostic.ts';
import { sha256 } from '../../base/ids.ts';
import { canonicalJson } from '../../base/json.ts';
import { isInside, realPath } from '../../base/paths.ts';
import { entriesIfThere, readTextIfThere } from '../../base/read-file.ts';
import { visible } from '../../base/text.ts';
import { absolutePath } from '../../base/value/absolute-path.ts';
import { type Digest, makeDigest } from '../../base/value/digest.ts';
import { kindOf } from '../../skill/kind.ts';
import { parseSkill } from '../../skill/manifest.ts';
import { readActions } from '../../skill/read/param.ts';
import type { Kind, Manifest } from '../../skill/skill.ts';
import { skillIdOf } from '../../skill/skill-id.ts';
import type { SkillEntry } from '../discover.ts';
import { neighboursOf } from './neighbour.ts';
import type { RoleFile } from './schema.ts';

export interface RoleSkill {
  readonly name: string;
  /** Relative to the folder of the role: its script, or its SKILL.md where it has no script of its own. */
  readonly entry: string;
  /** The folder whose files it is made of, relative to that of the role. */
  readonly folder: string;
  readonly kind: Kind;
  /** What it declares itself, or agent.yaml declares for it. */
  readonly manifest: Manifest;
}

type Written = Exclude<NonNullable<RoleFile['skills']>[number], string>;
/** A script or a folder of skills that the list of a role leaves out. */
export interface UnlistedSkill {
  readonly name: string;
  /** Relative to the folder of the role. */
  readonly entry: string;
}

type Read = {
  readonly skills: RoleSkill[];
  readonly unlisted: readonly UnlistedSkill[];
  readonly diagnostics: Diagnostic[];
};

const SKILL_FOLDER = '.claude/skills';
const SIZE_LIMIT = 1024 * 1024;
/** What skills import, and nobody calls. */
const KITS: readonly string[] = ['skillwright_skill.py', 'define-skill.mjs', 'define-skill.mts'];
const SCRIPT = /\.(?:py|mjs|js|cjs|ts|mts|sh|rb|pl)$/;

/** The listed ones; a role that lists none has every script and every skill in its skill folder. */
export function readRoleSkills({ skills, secrets = [] }: RoleFile, { folder, file, lines }: RoleFilePlace): Read {
  const written = skills?.map((one) => (typeof one === 'string' ? { name: one } : one)) ?? found(folder);
  const unlisted = skills ? leftOut(written, folder) : [];
  const read: Read = { skills: [], unlisted, diagnostics: unlisted.map((one) => notListed(one, file)) };
  for (const [index, one] of written.entries()) {
    const line = skills && lines[index];
    const say = (finding: Diagnostic) =>
      void read.diagnostics.push(line === undefined || finding.path !== file ? finding : { line, ...finding });
    const skill = readGuarded(one, secrets, { folder, file, say });
    if (skill === undefined) continue;
    if (read.skills.some(({ name }) => name === skill.name)) say(twice(skill.name, file));
    else if (!isOfRole(skill, folder)) say(outside(skill.name, file));
    else {
      read.skills.push(skill);
      if (!isThere(skill, folder)) say(missing(skill, file));
    }
  }
  return read;
}

interface RoleFilePlace {
  readonly folder: string;
  readonly file: string;
  /** Of the listed skills, in the file. */
  readonly lines: readonly number[];
}

/** The whole folder is visible to a skill: one outside the role would reveal files nobody granted. */
function isOfRole({ entry, folder }: RoleSkill, role: string): boolean {
  const leadsInside = (name: string): boolean => {
    const real = realPath(path.join(role, name));
    return isInside(role, path.join(role, name)) && (real === undefined || isInside(realPath(role) ?? role, real));
  };
  return !path.isAbsolute(entry) && leadsInside(folder) && leadsInside(entry);
}

function isThere({ entry }: RoleSkill, role: string): boolean {
  return statSync(path.join(role, entry), { throwIfNoEntry: false })?.isFile() === true;
}

/** Like any other skill: its files are those of the folder of its entry, so that what it imports is covered, but not its neighbours. */
export function skillOfRole(
  role: { readonly name: string; readonly folder: string; readonly skills: readonly RoleSkill[] },
  name: string,
): SkillEntry | undefined {
  const skill = role.skills.find((one) => one.name === name);
  if (!skill) return undefined;
  const { entry, kind, manifest } = skill;
  const without = neighboursOf(role, skill);
  const full = `${role.name}/${name}`;
  return {
    skillId: skillIdOf('project', full),
    name: full,
    folderName: `agents/${full}`,
    source: 'project',
    root: path.dirname(role.folder),
    folder: absolutePath(path.join(role.folder, skill.folder)),
    ...(without.length > 0 && { without }),
    file: path.join(role.folder, entry),
    kind,
    manifest: { ...manifest, name: full },
    state: 'visible',
    diagnostics: [],
    ofRole: { role: role.name, folder: role.folder, facts: factsOf(full, skill) },
  };
}

/** What a grant and a schedule are pinned to: the files, and whatever else decides what runs and what it sees. */
export function boundDigest({ ofRole }: Pick<SkillEntry, 'ofRole'>, digest: Digest): Digest {
  return ofRole ? makeDigest(`skillwright role skill 1\n${digest}\n${ofRole.facts}`) : digest;
}

function factsOf(name: string, { entry, folder, manifest }: RoleSkill): string {
  const { description: _, ...rest } = manifest;
  return sha256(canonicalJson({ ...rest, name, entry, folder }));
}

interface Place {
  readonly folder: string;
  readonly file: string;
  readonly say: (diagnostic: Diagnostic) => void;
}

/** A failure in the files of one skill does not affect the others. */
function readGuarded(written: Written, secrets: readonly string[], place: Place): RoleSkill | undefined {
  try {
    return readSkill(written, secrets, place);
  } catch (error) {
    place.say(readerFailed(path.join(place.folder, SKILL_FOLDER, written.name), error));
    return undefined;
  }
}

function readSkill(written: Written, secrets: readonly string[], place: Place): RoleSkill {
  const own = path.posix.join(SKILL_FOLDER, written.name);
  const text = written.entry === undefined ? readSkillFile(place.folder, own) : undefined;
  return text === undefined ? readScript(written, secrets, place) : readFolder(written, own, text, place);
}

/** A script that agent.yaml declares completely. */
function readScript(written: Written, roleSecrets: readonly string[], place: Place): RoleSkill {
  const { name, description = '', timeout, network = false, deterministic = true } = written;
  const entry = path.posix.normalize(written.entry ?? defaultEntry(name, place.folder));
  const folder = codeFolder(entry);
  const secrets = written.secrets ?? roleSecrets;
  const actions = actionsOf(written, place);
  return {
    name,
    entry,
    folder,
    kind: 'protocol',
    manifest: {
      ...PLAIN,
      name,
      description,
      entry: path.posix.relative(folder, entry),
      network,
      deterministic,
      ...(timeout !== undefined && { timeout }),
      ...(secrets.length > 0 && { secrets }),
      ...(actions && { actions }),
    },
  };
}

const PLAIN = { disableModelInvocation: false, userInvocable: true, runMode: 'inline' } as const;

/** A folder with a SKILL.md declares itself; agent.yaml adds to it. */
function readFolder(written: Written, own: string, text: string, place: Place): RoleSkill {
  const { name, description, timeout, network, deterministic, secrets } = written;
  const file = path.join(place.folder, own, 'SKILL.md');
  const parsed = parseSkill(text, { path: file, folderName: name, blockAngleBrackets: true });
  for (const diagnostic of parsed.diagnostics) if (diagnostic.severity === 'error') place.say(diagnostic);
  const actions = actionsOf(written, place);
  const manifest: Manifest = {
    ...(parsed.manifest ?? { ...PLAIN, name, description: '', network: false, deterministic: true }),
    ...(description !== undefined && { description }),
    ...(timeout !== undefined && { timeout }),
    ...(network !== undefined && { network }),
    ...(deterministic !== undefined && { deterministic }),
    ...(secrets && { secrets }),
    ...(actions && { actions }),
  };
  const kind = kindOf(manifest, path.join(place.folder, own));
  const entry = path.posix.join(own, kind === 'protocol' ? (manifest.entry ?? '') : 'SKILL.md');
  return { name, entry, folder: own, kind, manifest };
}

function actionsOf({ name, actions }: Written, { file, say }: Place): Manifest['actions'] {
  if (actions === undefined) return undefined;
  return readActions(actions, ({ en, zh }) => {
    const message = { en: visible(`actions of ${name}: ${en}`), zh: visible(`${name} 的 actions: ${zh}`) };
    say(diagnose({ code: 'role-actions', severity: 'error', path: file, message }));
  });
}

/** What lies beside the listed skills and would be one of the role, were there no list. */
function leftOut(listed: readonly Written[], folder: string): UnlistedSkill[] {
  const isListed = ({ name, entry = '' }: Written): boolean =>
    listed.some((one) => one.name === name || (one.entry !== undefined && path.posix.normalize(one.entry) === entry));
  return found(folder).flatMap((one) => {
    if (isListed(one)) return [];
    const entry = one.entry ?? path.posix.join(SKILL_FOLDER, one.name, 'SKILL.md');
    return one.entry === undefined || readsRequests(path.join(folder, entry)) ? [{ name: one.name, entry }] : [];
  });
}

/** Whether a script may be a skill: what others only import does not look at stdin. */
function readsRequests(file: string): boolean {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return size <= SIZE_LIMIT && /stdin|define_?skill/i.test(readTextIfThere(file) ?? '');
}

function found(folder: string): Written[] {
  return entriesIfThere(path.join(folder, SKILL_FOLDER)).flatMap((entry): Written[] => {
    if (KITS.includes(entry.name)) return [];
    if (entry.isFile() && SCRIPT.test(entry.name))
      return [{ name: entry.name.replace(SCRIPT, ''), entry: `${SKILL_FOLDER}/${entry.name}` }];
    return hasSkillFile(folder, path.posix.join(SKILL_FOLDER, entry.name)) ? [{ name: entry.name }] : [];
  });
}

/** Undefined where there is none inside the role. */
function readSkillFile(folder: string, own: string): string | undefined {
  const real = realPath(path.join(folder, own, 'SKILL.md'));
  return real !== undefined && hasSkillFile(folder, own) ? readTextIfThere(real) : undefined;
}

function hasSkillFile(folder: string, own: string): boolean {
  const real = realPath(path.join(folder, own, 'SKILL.md'));
  if (real === undefined || !isInside(realPath(folder) ?? folder, real)) return false;
  const stats = statSync(real, { throwIfNoEntry: false });
  return stats?.isFile() === true && stats.size <= SIZE_LIMIT;
}

function defaultEntry(name: string, folder: string): string {
  const files = entriesIfThere(path.join(folder, SKILL_FOLDER)).map((entry) => entry.name);
  const script = files.find((file) => SCRIPT.test(file) && file.replace(SCRIPT, '') === name);
  return `${SKILL_FOLDER}/${script ?? `${name}.py`}`;
}

function outside(name: string, file: string): Diagnostic {
  const message = {
    en: visible(`entry of ${name} leaves the folder of the role: it is no skill of it`),
    zh: visible(`${name} 的 entry 不在角色目录内: 不是该角色的技能`),
  };
  const fix = { en: 'put the file itself below agent.yaml', zh: '请将文件本身放在 agent.yaml 所在目录之下' };
  return diagnose({ code: 'entry-outside', severity: 'error', path: file, message, fix });
}

function missing({ name, entry }: RoleSkill, file: string): Diagnostic {
  const message = {
    en: visible(`entry of ${name} is not there: ${entry}`),
    zh: visible(`${name} 的 entry 不存在: ${entry}`),
  };
  const fix = { en: 'write the script, or correct its path', zh: '请编写脚本，或修正路径' };
  return diagnose({ code: 'entry-missing', severity: 'error', path: file, message, fix });
}

function notListed({ name, entry }: UnlistedSkill, file: string): Diagnostic {
  const message = {
    en: visible(`${entry} is there, but skills does not list it: ${name} is no skill of the role`),
    zh: visible(`${entry} 存在，但 skills 未列出: ${name} 不是该角色的技能`),
  };
  const fix = { en: visible(`- {name: ${name}, entry: ${entry}}`), zh: visible(`- {name: ${name}, entry: ${entry}}`) };
  return diagnose({ code: 'skill-unlisted', severity: 'warning', path: file, message, fix });
}

function twice(name: string, file: string): Diagnostic {
  const message = {
    en: visible(`skill ${name} is there twice: the first one is used`),
    zh: visible(`技能 ${name} 出现两次: 使用第一个`),
  };
  const fix = { en: 'give one of them another name', zh: '请为其中之一改名' };
  return diagnose({ code: 'skill-twice', severity: 'error', path: file, message, fix });
}

/** The first folder on the path to the entry; files beside agent.yaml belong to the whole role. */
function codeFolder(entry: string): string {
  if (entry.startsWith(`${SKILL_FOLDER}/`)) return SKILL_FOLDER;
  const [first = '', ...rest] = entry.split('/');
  return rest.length === 0 ? '' : first;
}
