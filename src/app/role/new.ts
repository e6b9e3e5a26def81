// Writes a role, with the skills that were asked for or from a template; it works as it stands.
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
import { ACTION_CELLS, type RoleSkillFiles, roleSkillFiles, runnerOf } from './skill-template.ts';

const NAME = /^[a-z0-9_][a-z0-9_-]{0,63}$/;

const SKILLS_PAGE = '.claude/skills/README.md';

export interface NewRole {
  readonly folder: string;
  /** Below the folder. */
  readonly files: readonly string[];
  readonly timezone: string;
  /** A trusted project stays trusted, since nothing but this was added. */
  readonly trusted: boolean;
}

/** Whole roles, by the names they have in the documents: a build analyst with a schedule. */
export const ROLE_TEMPLATES = ['dev_efficiency_analyst'] as const;

/** The skills a role begins with, none is a role without any; or a whole role. */
export type RoleWish =
  | { readonly skills: readonly string[]; readonly language: ScriptLanguage }
  | { readonly template: (typeof ROLE_TEMPLATES)[number] };

export function createRole(name: string, wish: RoleWish, runtime: Runtime): NewRole {
  if (!NAME.test(name)) throw badName(name);
  const { project, home, clock } = runtime;
  const folder = path.join(project, 'agents', name);
  const trusted = isTrusted(project, home);
  const timezone = zoneOfMachine();
  const files = 'skills' in wish ? plainRole(name, wish) : readTemplate(name, timezone, runtime);
  const named = [...files.keys()].map((file) => path.join('agents', name, file));
  recordTrust(runtime, { command: 'roles new', files: named }, () => {
    writeNewFolder(folder, files);
    if (trusted) trustProject(project, home, clock.now());
  });
  return { folder, files: [...files.keys()], timezone, trusted };
}

/** Just what was asked for: the file of the role, a text to guide it, a script for each skill and a page about them. */
function plainRole(name: string, { skills, language }: Extract<RoleWish, { skills: unknown }>): Map<string, string> {
  const made = [...new Set(skills)].map((skill) => roleSkillFiles(skill, language));
  const items = made.flatMap(({ item }) => item.map((line) => `  ${line}`));
  const list = items.length === 0 ? ['skills: []'] : ['skills:', ...items];
  const lines = [`name: ${name}`, 'description: Say here what this role is for.', '', ...list];
  const written = ['', 'allowed_tools: [Read, run_script]', 'max_turns: 8', ''];
  const guide = `# ${name}\n\nSay here what the role looks after, and which of its skills it uses for what.\n`;
  return new Map([
    ['CLAUDE.md', guide],
    ['agent.yaml', [...lines, ...written].join('\n')],
    ...(made.length === 0 ? [] : [[SKILLS_PAGE, aboutSkills(name, made)] as const]),
    ...made.flatMap(({ files }) => [...files]),
  ]);
}

function aboutSkills(name: string, made: readonly RoleSkillFiles[]): string {
  const rows = made.map(({ entry }) => `| \`${path.parse(entry).name}\` | ${ACTION_CELLS} |`);
  const tries = made.map(({ entry }) => `    echo '{"action": "test"}' | ${runnerOf(entry)} ${entry}`);
  const table = ['| skill | action | params | data |', '| --- | --- | --- | --- |', ...rows];
  return [`# Skills of ${name}`, '', ...table, '', 'Without a host:', '', ...tries, ''].join('\n');
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
