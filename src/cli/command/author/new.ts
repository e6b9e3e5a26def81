// `new`: writes a skill that works as it stands, for its author to change.
import path from 'node:path';
import { createSkill, type Namesakes } from '../../../app/author/new.ts';
import type { Text } from '../../../base/language.ts';
import { KINDS, type Kind } from '../../../skill/skill.ts';
import { type Command, textOption } from '../../frame/command.ts';
import { askedLanguage, LANGUAGE_OPTION } from '../../frame/script-language.ts';
import { typedFrom } from '../../frame/typed-from.ts';
import { shortPath } from '../../view/diagnostic.ts';

export const command: Command = {
  positionals: [
    {
      name: 'name',
      required: true,
      summary: {
        en: 'lower-case letters, digits, hyphens and underscores; org/name for a namespace',
        zh: '小写字母、数字、连字符与下划线；org/name 表示命名空间',
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
    LANGUAGE_OPTION,
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
    const { positionals, options, runtime } = context;
    const [name = ''] = positionals;
    const wish = {
      name,
      kind: KINDS.find((known) => known === options.kind),
      language: askedLanguage(context),
      description: textOption(options, 'description'),
      source: textOption(options, 'source'),
    };
    const { outcome, kind, folder, files, namesakes } = createSkill(wish, runtime);
    const warnings = [...(name.includes('_') ? [UNDERSCORE] : []), ...namesakeWarnings(name, namesakes)];
    return {
      outcome,
      human: files.map((file) => `  + ${shortPath(path.join(folder, file), runtime.project)}`).join('\n'),
      ...(warnings.length > 0 && { warnings: warnings.map((warning) => warning[runtime.language]) }),
      hint: nextStep(kind, name, path.relative(typedFrom(context), path.join(folder, 'SKILL.md')))[runtime.language],
    };
  },
};

const UNDERSCORE: Text = {
  en: 'a name with an underscore works here; agentskills.io allows hyphens only, so `validate --profile spec` refuses it',
  zh: '含下划线的名称可在此使用；agentskills.io 仅允许连字符，`validate --profile spec` 会拒绝',
};

function namesakeWarnings(name: string, { hides, hiddenBy }: Namesakes): Text[] {
  const typed = hides.map(({ source }) => `${source}:${name}`).join(', ');
  return [
    ...(hides.length > 0
      ? [
          {
            en: `${name} now means this skill and no longer ${typed}, which that name still reaches`,
            zh: `${name} 现指此技能；原技能仍可用 ${typed} 指明`,
          },
        ]
      : []),
    ...(hiddenBy !== undefined
      ? [{ en: `${name} still means ${hiddenBy}, which comes first`, zh: `${name} 仍指优先级更高的 ${hiddenBy}` }]
      : []),
  ];
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
