// `new`: writes a skill that works as it stands, for its author to change.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { writeNewFolder } from '../../../app/new-folder.ts';
import type { Runtime } from '../../../app/runtime.ts';
import { assetPath } from '../../../base/assets.ts';
import { Fault } from '../../../base/errors.ts';
import type { Text } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { visible } from '../../../base/text.ts';
import type { Root } from '../../../registry/roots.ts';
import { lintSkill } from '../../../skill/lint/lint.ts';
import { KINDS, type Kind } from '../../../skill/skill.ts';
import { type Command, type CommandContext, listOption, textOption } from '../../frame/command.ts';
import { typedFrom } from '../../frame/typed-from.ts';
import { shortPath } from '../../view/diagnostic.ts';

const LANGUAGES = ['python', 'typescript', 'javascript', 'bash'] as const;
type ProgrammingLanguage = (typeof LANGUAGES)[number];
const SHORT_NAMES: Readonly<Record<string, ProgrammingLanguage>> = {
  py: 'python',
  ts: 'typescript',
  js: 'javascript',
  sh: 'bash',
};

const NAME = /^(?:[a-z0-9][a-z0-9-]{0,63}\/)?[a-z0-9][a-z0-9-]{0,63}$/;
const TEMPLATE_NAME = /skill-name/g;
const TEMPLATE_TITLE = /Skill Name/g;

export const command: Command = {
  positionals: [
    {
      name: 'name',
      required: true,
      summary: {
        en: 'lower-case letters, digits and hyphens; org/name for a namespace',
        zh: '小写字母、数字与连字符；org/name 表示命名空间',
      },
    },
  ],
  options: [
    {
      name: 'kind',
      value: 'KIND',
      choices: KINDS,
      summary: {
        en: 'instructions, a command template, or a script that speaks the Skill protocol; prompt unless given, command with a programming language',
        zh: '提示词、命令模板或协议脚本；默认 prompt，指定编程语言时为 command',
      },
    },
    {
      name: 'lang',
      value: 'LANG',
      many: true,
      choices: [...LANGUAGES, ...Object.keys(SHORT_NAMES), 'en', 'zh'],
      summary: {
        en: 'programming language of the script, python unless given; en and zh choose the language of the answer',
        zh: '脚本的编程语言，默认 python；en 与 zh 为回答语言',
      },
    },
    { name: 'description', value: 'TEXT', summary: { en: 'what it does and when to use it', zh: '功能与使用时机' } },
    {
      name: 'source',
      value: 'SOURCE',
      choices: ['project', 'user'],
      summary: { en: 'where it goes; the project unless given', zh: '存放位置；默认项目' },
    },
  ],
  examples: ['skillwright new release-notes', 'skillwright new csv-insights --kind protocol --lang typescript'],
  async run(context) {
    const { runtime } = context;
    const name = checkName(context.positionals[0] ?? '');
    const asked = askedLanguage(context);
    const kind = KINDS.find((known) => known === context.options.kind) ?? (asked === undefined ? 'prompt' : 'command');
    if (kind === 'prompt' && asked !== undefined) throw promptHasNone(asked);
    const language = kind === 'prompt' ? undefined : (asked ?? 'python');
    const root = chooseRoot(runtime, textOption(context.options, 'source'));
    const folder = path.join(root.folder, name);
    const files = readTemplate(kind, language, name, textOption(context.options, 'description'));
    writeNewFolder(folder, files);
    const written = [...files.keys()];
    return {
      outcome: makeOutcome(
        runtime.answering('skillwright', 'own'),
        'success',
        { en: `created ${kind} skill: ${name}`, zh: `已创建 ${kind} 技能: ${name}` },
        { skill: name, kind, language: language ?? null, source: root.source, path: folder, files: written },
      ),
      human: written.map((file) => `  + ${shortPath(path.join(folder, file), runtime.project)}`).join('\n'),
      hint: nextStep(kind, name, path.relative(typedFrom(context), path.join(folder, 'SKILL.md')))[runtime.language],
    };
  },
};

function checkName(name: string): string {
  if (NAME.test(name)) return name;
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 64);
  throw new Fault(
    'ParamInvalid',
    { en: `${visible(name)} is no name for a skill`, zh: `${visible(name)} 不能作为技能名称` },
    {
      details: { param: 'name' },
      hint: {
        en: `Use lower-case letters, digits and hyphens${slug && `, for example ${slug}`}.`,
        zh: `请使用小写字母、数字与连字符${slug && `，例如 ${slug}`}。`,
      },
    },
  );
}

function askedLanguage({ options }: CommandContext): ProgrammingLanguage | undefined {
  const asked = listOption(options, 'lang').map((word) => SHORT_NAMES[word] ?? word);
  return LANGUAGES.findLast((language) => asked.includes(language));
}

function promptHasNone(language: ProgrammingLanguage): Fault {
  return new Fault('Usage', {
    en: `a prompt skill has no script, so --lang ${language} says nothing: choose --kind command or protocol`,
    zh: `提示词技能没有脚本，--lang ${language} 无意义: 请用 --kind command 或 protocol`,
  });
}

/** What shows best that it works. */
function nextStep(kind: Kind, name: string, sample: string): Text {
  switch (kind) {
    case 'prompt':
      return { en: `See it with \`skillwright inspect ${name}\`.`, zh: `运行 \`skillwright inspect ${name}\` 查看。` };
    case 'command':
      return {
        en: `Try it with \`skillwright invoke ${name} ${sample} --yes\`.`,
        zh: `运行 \`skillwright invoke ${name} ${sample} --yes\` 试用。`,
      };
    case 'protocol':
      return {
        en: `Check it with \`skillwright conform ${name} --yes\`, then \`skillwright call ${name} analyze text="one two" --yes\`.`,
        zh: `运行 \`skillwright conform ${name} --yes\` 检查，再运行 \`skillwright call ${name} analyze text="one two" --yes\`。`,
      };
  }
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

/** Relative path to content, under the name of the new skill. */
function readTemplate(
  kind: Kind,
  language: string | undefined,
  name: string,
  description: string | undefined,
): Map<string, string> {
  const template = assetPath(path.join('cli', 'templates', language === undefined ? kind : `${kind}-${language}`));
  const ownName = path.basename(name);
  const files = new Map<string, string>();
  for (const entry of readdirSync(template, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const text = readFileSync(file, 'utf8').replace(TEMPLATE_NAME, ownName).replace(TEMPLATE_TITLE, titleOf(ownName));
    files.set(path.relative(template, file), entry.name === 'SKILL.md' ? describe(text, ownName, description) : text);
  }
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function describe(text: string, name: string, description: string | undefined): string {
  if (description === undefined) return text;
  const described = text.replace(/^description: .*$/m, () => `description: ${JSON.stringify(description)}`);
  const where = { path: 'SKILL.md', folderName: name, profile: 'strict', maxBodyLines: 500 } as const;
  const refused = lintSkill(described, where).find(({ severity }) => severity === 'error');
  if (refused)
    throw new Fault('ParamInvalid', `description: ${refused.message}`, { details: { param: 'description' } });
  return described;
}

function titleOf(name: string): string {
  return name.replace(
    /(^|-)([a-z0-9])/g,
    (_match, dash: string, letter: string) => `${dash && ' '}${letter.toUpperCase()}`,
  );
}
