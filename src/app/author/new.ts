// Writes a skill that works as it stands, for its author to change.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { assetPath } from '../../base/assets.ts';
import { Fault } from '../../base/errors.ts';
import type { Language, Text } from '../../base/language.ts';
import { makeOutcome, type Outcome } from '../../base/outcome.ts';
import { visible } from '../../base/text.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import type { Root } from '../../registry/roots.ts';
import { lintSkill } from '../../skill/lint/lint.ts';
import type { Kind } from '../../skill/skill.ts';
import type { SkillId } from '../../skill/skill-id.ts';
import { writeNewFolder } from '../new-folder.ts';
import type { Runtime } from '../runtime.ts';

export const SCRIPT_LANGUAGES = ['python', 'typescript', 'javascript', 'bash'] as const;
export type ScriptLanguage = (typeof SCRIPT_LANGUAGES)[number];

const NAME = /^(?:[a-z0-9][a-z0-9_-]{0,63}\/)?[a-z0-9][a-z0-9_-]{0,63}$/;
const TRANSLATED = /\.zh\.md$/;
const ENDING: Text = { en: '.md', zh: '.zh.md' };
const TEMPLATE_NAME = /skill-name/g;
const TEMPLATE_TITLE = /Skill Name/g;

export interface NewSkill {
  readonly name: string;
  /** A prompt unless given, a command where a language is. */
  readonly kind?: Kind | undefined;
  /** Of its script; Python unless given. */
  readonly language?: ScriptLanguage | undefined;
  readonly description?: string | undefined;
  /** The first root of the settings unless given. */
  readonly source?: string | undefined;
}

export interface CreatedSkill {
  readonly outcome: Outcome;
  readonly kind: Kind;
  readonly folder: string;
  /** Below the folder. */
  readonly files: readonly string[];
  /** Skills that its name meant before, and the skill that its name still means. */
  readonly namesakes: Namesakes;
}

export interface Namesakes {
  readonly hides: readonly SkillEntry[];
  readonly hiddenBy?: SkillId;
}

export function createSkill(wish: NewSkill, runtime: Runtime): CreatedSkill {
  const name = checkName(wish.name);
  const kind = wish.kind ?? (wish.language === undefined ? 'prompt' : 'command');
  if (kind === 'prompt' && wish.language !== undefined) throw promptHasNone(wish.language);
  const language = kind === 'prompt' ? undefined : (wish.language ?? 'python');
  const root = chooseRoot(runtime, wish.source);
  const folder = path.join(root.folder, name);
  const template = language === undefined ? kind : `${kind}-${language}`;
  const contents = readTemplate(template, runtime.language, name, wish.description);
  writeNewFolder(folder, contents);
  const files = [...contents.keys()];
  const namesakes = namesakesOf(folder, runtime);
  const { hides, hiddenBy } = namesakes;
  const outcome = makeOutcome(
    runtime.answering('skillwright', 'own'),
    'success',
    { en: `created ${kind} skill: ${name}`, zh: `已创建 ${kind} 技能: ${name}` },
    {
      skill: name,
      kind,
      language: language ?? null,
      source: root.source,
      path: folder,
      files,
      ...(hides.length > 0 && { shadows: hides.map(({ skillId }) => skillId) }),
      ...(hiddenBy !== undefined && { shadowed_by: hiddenBy }),
    },
  );
  return { outcome, kind, folder, files, namesakes };
}

function namesakesOf(folder: string, runtime: Runtime): Namesakes {
  const { skills } = runtime.index();
  const own = skills.find((skill) => skill.folder === folder);
  if (own?.shadowedBy !== undefined) return { hides: [], hiddenBy: own.shadowedBy };
  return { hides: skills.filter((skill) => own !== undefined && skill.shadowedBy === own.skillId) };
}

function checkName(name: string): string {
  if (NAME.test(name)) return name;
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 64);
  throw new Fault(
    'ParamInvalid',
    { en: `${visible(name)} is no name for a skill`, zh: `${visible(name)} 不能作为技能名称` },
    {
      details: { param: 'name' },
      hint: {
        en: `Use lower-case letters, digits, hyphens and underscores${slug && `, for example ${slug}`}.`,
        zh: `请使用小写字母、数字、连字符与下划线${slug && `，例如 ${slug}`}。`,
      },
    },
  );
}

function promptHasNone(language: ScriptLanguage): Fault {
  return new Fault('Usage', {
    en: `a prompt skill has no script, so --lang ${language} has no effect: choose --kind command or protocol`,
    zh: `提示词技能没有脚本，--lang ${language} 无意义: 请用 --kind command 或 protocol`,
  });
}

function chooseRoot(runtime: Runtime, source: string | undefined): Root {
  const roots = runtime.roots.filter((root) => root.source !== 'builtin');
  const root = source === undefined ? roots[0] : roots.find((candidate) => candidate.source === source);
  if (root) return root;
  throw new Fault('Usage', {
    en: `the settings name no ${source ?? ''} root for skills`,
    zh: `配置中没有 ${source ?? ''} 技能目录`,
  });
}

/** Relative path to content, under the name of the new skill; texts in the language of its author where there are some. */
function readTemplate(
  kind: string,
  language: Language,
  name: string,
  description: string | undefined,
): Map<string, string> {
  const template = assetPath(path.join('cli', 'templates', kind));
  const ownName = path.basename(name);
  const files = new Map<string, string>();
  for (const entry of readdirSync(template, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const plain = file.replace(TRANSLATED, '.md');
    const translated = plain.replace(/\.md$/, ENDING[language]);
    if (file !== (existsSync(translated) ? translated : plain)) continue;
    const text = readFileSync(file, 'utf8').replace(TEMPLATE_NAME, ownName).replace(TEMPLATE_TITLE, titleOf(ownName));
    const isSkillFile = path.basename(plain) === 'SKILL.md';
    files.set(path.relative(template, plain), isSkillFile ? describe(text, ownName, description) : text);
  }
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function describe(text: string, name: string, description: string | undefined): string {
  if (description === undefined) return text;
  const described = text.replace(/^description: .*$/m, () => `description: ${JSON.stringify(description)}`);
  const where = { path: 'SKILL.md', folderName: name, profile: 'strict', maxBodyLines: 500 } as const;
  // The name was checked before; the lint of published skills allows it less.
  const refused = lintSkill(described, where).find(
    ({ severity, code }) => severity === 'error' && !/^(?:strict-)?name/.test(code),
  );
  if (refused)
    throw new Fault('ParamInvalid', `description: ${refused.message}`, { details: { param: 'description' } });
  return described;
}

function titleOf(name: string): string {
  return name.replace(
    /(^|[-_])([a-z0-9])/g,
    (_match, dash: string, letter: string) => `${dash && ' '}${letter.toUpperCase()}`,
  );
}
