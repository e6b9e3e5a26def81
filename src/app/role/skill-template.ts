// The files of a new skill of a role, a script and the kit beside it, and what agent.yaml says about it.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { assetPath } from '../../base/assets.ts';
import { Fault } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import type { ScriptLanguage } from '../author/new.ts';

const NAME = /^[a-z0-9_][a-z0-9_-]{0,63}$/;
const SKILL_FOLDER = '.claude/skills';

/** What the template can do, for a table: action, params, data. */
export const ACTION_CELLS = '`analyze` | `text`, `min_length` | `insights`, `metrics`';

const RUNNERS: Readonly<Record<string, string>> = { '.py': 'python3 -B', '.sh': 'bash' };

export interface RoleSkillFiles {
  /** By their place below the folder of the role; the first one is the script. */
  readonly files: ReadonlyMap<string, string>;
  readonly entry: string;
  /** An item of `skills` in agent.yaml, line by line, without indentation. */
  readonly item: readonly string[];
}

export function roleSkillFiles(name: string, language: ScriptLanguage): RoleSkillFiles {
  if (!NAME.test(name)) throw badName(name);
  const folder = assetPath(path.join('cli', 'templates', `protocol-${language}`, 'scripts'));
  const [scripts, kits] = partition(readdirSync(folder, { withFileTypes: true }).filter((one) => one.isFile()));
  const [script = ''] = scripts.map((one) => one.name);
  const entry = `${SKILL_FOLDER}/${name}${path.extname(script)}`;
  const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');
  const own = read(script).replaceAll('skill-name', name).replaceAll('SKILL.md', 'agent.yaml');
  const beside = kits.map((one): [string, string] => [`${SKILL_FOLDER}/${one.name}`, read(one.name)]);
  return { files: new Map([[entry, own], ...beside]), entry, item: itemOf(name, entry) };
}

/** What a person types in front of the script. */
export function runnerOf(entry: string): string {
  return RUNNERS[path.extname(entry)] ?? 'node';
}

function partition<Entry extends { readonly name: string }>(entries: readonly Entry[]): [Entry[], Entry[]] {
  const isScript = ({ name }: Entry) => name.startsWith('main.');
  return [entries.filter(isScript), entries.filter((one) => !isScript(one))];
}

function itemOf(name: string, entry: string): string[] {
  return [
    `- name: ${name}`,
    `  entry: ${entry}`,
    '  description: Measures a text and says what stands out in it.',
    '  actions:',
    '    analyze:',
    '      description: Measures a text.',
    '      params:',
    '        text: {type: string, required: true}',
    '        min_length: {type: integer, default: 1, minimum: 1}',
  ];
}

function badName(name: string): Fault {
  return new Fault(
    'ParamInvalid',
    { en: `${visible(name)} is no name for a skill of a role`, zh: `${visible(name)} 不能作为角色技能的名称` },
    {
      details: { param: 'name' },
      hint: { en: 'Use lower-case letters, digits, - and _.', zh: '请使用小写字母、数字、- 与 _。' },
    },
  );
}
