// Writes a role, with the skills that were asked for or as a build analyst with a schedule; it works as it stands.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { assetPath } from '../../base/assets.ts';
import { Fault } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import { isTrusted, trustProject } from '../../config/trust.ts';
import { isTimeZone } from '../../jobs/zone.ts';
import type { ScriptLanguage } from '../author/new.ts';
import { writeNewFolder } from '../new-folder.ts';
import { recordTrust } from '../own/trust-change.ts';
import type { Runtime } from '../runtime.ts';
import { roleSkillFiles } from './skill-template.ts';

const NAME = /^[a-z0-9_][a-z0-9_-]{0,63}$/;

export interface NewRole {
  readonly folder: string;
  /** Below the folder. */
  readonly files: readonly string[];
  readonly timezone: string;
  /** A trusted project stays trusted, since nothing but this was added. */
  readonly trusted: boolean;
}

/** What the role can do; the build analyst with its schedule where nothing is asked for. */
export interface RoleWish {
  /** Names of skills to begin with; none is a role without any. */
  readonly skills: readonly string[];
  readonly language: ScriptLanguage;
}

export function createRole(name: string, wish: RoleWish | undefined, runtime: Runtime): NewRole {
  if (!NAME.test(name)) throw badName(name);
  const { project, home, clock } = runtime;
  const folder = path.join(project, 'agents', name);
  const trusted = isTrusted(project, home);
  const timezone = zoneOfMachine();
  const files = wish ? plainRole(name, wish) : readTemplate(name, timezone, runtime);
  const named = [...files.keys()].map((file) => path.join('agents', name, file));
  recordTrust(runtime, { command: 'roles new', files: named }, () => {
    writeNewFolder(folder, files);
    if (trusted) trustProject(project, home, clock.now());
  });
  return { folder, files: [...files.keys()], timezone, trusted };
}

/** Just what was asked for: the file of the role, a text to guide it, and a script for each skill. */
function plainRole(name: string, { skills, language }: RoleWish): Map<string, string> {
  const made = [...new Set(skills)].map((skill) => roleSkillFiles(skill, language));
  const items = made.flatMap(({ item }) => item.map((line) => `  ${line}`));
  const list = items.length === 0 ? ['skills: []'] : ['skills:', ...items];
  const lines = [`name: ${name}`, 'description: Say here what this role is for.', '', ...list];
  const written = ['', 'allowed_tools: [Read, run_script]', 'max_turns: 8', ''];
  const guide = `# ${name}\n\nSay here what the role looks after, and which of its skills it uses for what.\n`;
  return new Map([
    ['CLAUDE.md', guide],
    ['agent.yaml', [...lines, ...written].join('\n')],
    ...made.flatMap(({ files }) => [...files]),
  ]);
}

/** UTC where the machine names a zone that schedules do not know. */
function zoneOfMachine(): string {
  // Undefined for a TZ that ICU does not know, whatever the types say.
  const zone: string | undefined = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zone !== undefined && isTimeZone(zone) ? zone : 'UTC';
}

/** The template, and the parts of the shipped skill that its script is made of. */
function readTemplate(name: string, zone: string, { builtin }: Runtime): Map<string, string> {
  const template = assetPath(path.join('cli', 'templates', 'role'));
  const own = filesIn(template).map(([file, text]): [string, string] => [
    file.replace(/^claude\b/, '.claude'),
    text.replaceAll('role-name', name).replace('timezone: UTC', `timezone: ${zone}`),
  ]);
  const parts = filesIn(path.join(builtin, 'build-analysis', 'scripts')).map(([file, text]): [string, string] => [
    `.claude/skills/build_analysis_parts/${file}`,
    text,
  ]);
  return new Map([...own, ...parts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function filesIn(folder: string): [string, string][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('__pycache__'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => [path.relative(folder, file), readFileSync(file, 'utf8')]);
}

function badName(name: string): Fault {
  return new Fault(
    'ParamInvalid',
    { en: `${visible(name)} is no name for a role`, zh: `${visible(name)} 不能作为角色名称` },
    {
      details: { param: 'name' },
      hint: { en: 'Use lower-case letters, digits, - and _.', zh: '请使用小写字母、数字、- 与 _。' },
    },
  );
}
