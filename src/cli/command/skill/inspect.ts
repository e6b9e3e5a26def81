// `inspect`: one skill with everything that is known about it, and its body when asked for; or one that a server offers.
import { type InspectedSkill, inspectSkill, type UsageView } from '../../../app/skill/inspect.ts';
import { Fault } from '../../../base/errors.ts';
import { inLanguage, type Language } from '../../../base/language.ts';
import { renderList, type Terminal } from '../../../base/text/terminal.ts';
import { visible, visibleLines } from '../../../base/text.ts';
import type { ServedName } from '../../../distribution/source/served-name.ts';
import type { Param, SkillAction } from '../../../skill/skill.ts';
import { type Command, type CommandContext, isOn, textOption } from '../../frame/command.ts';
import { SKILL, SOURCE } from '../../frame/skill-arguments.ts';
import { renderDiagnostics } from '../../view/diagnostic.ts';
import { renderNeedsAndPackages } from '../../view/need/need.ts';

export const command: Command = {
  positionals: [SKILL],
  options: [
    { name: 'body', summary: { en: 'also its instructions, without the frontmatter', zh: '包括正文，不含前言' } },
    {
      name: 'file',
      value: 'PATH',
      summary: {
        en: 'of a skill that a server offers: this file, read now and checked',
        zh: '对服务器提供的技能: 读取并校验此文件',
      },
    },
    SOURCE,
  ],
  examples: [
    'skillwright inspect pdf',
    'skillwright inspect user:pdf --body',
    'skillwright inspect files:pdf --file scripts/run.sh',
  ],
  async run(context) {
    const { positionals, options, runtime, terminal } = context;
    const file = textOption(options, 'file') ?? (isOn(options, 'body') ? 'SKILL.md' : undefined);
    const served = await servedSkill(positionals[0] ?? '', runtime);
    if (served) {
      const { replyWithInspected } = await import('../../view/server/inspected-skill.ts');
      return await replyWithInspected(served, file, context);
    }
    if (options.file !== undefined) throw onlyServed();
    const wish = { source: textOption(options, 'source'), body: isOn(options, 'body') };
    const found = await inspectSkill(runtime, positionals[0] ?? '', wish);
    const parts = [
      renderFacts(found, runtime.language, terminal),
      found.needs.length > 0 && `\n${renderNeedsAndPackages(found.needs, runtime.language, terminal)}`,
      renderDiagnostics(found.diagnostics, runtime.project, terminal),
      found.body !== undefined && `\n${visibleLines(found.body)}`,
    ];
    return { outcome: found.outcome, human: parts.filter(Boolean).join('\n') };
  },
};

/** Looked for only where the name could be one: most commands need nothing of servers. */
async function servedSkill(written: string, runtime: CommandContext['runtime']): Promise<ServedName | undefined> {
  if (!written.includes(':')) return undefined;
  const { servedNameOf } = await import('../../../app/server/skill/inspect.ts');
  return servedNameOf(written, runtime);
}

function onlyServed(): Fault {
  return new Fault('Usage', {
    en: '--file is for a skill that a server offers, SERVER:SKILL; files of others lie in their folder',
    zh: '--file 用于服务器提供的技能 SERVER:SKILL；其他技能的文件位于其目录中',
  });
}

const LABELS = {
  en: {
    description: 'description',
    kind: 'kind',
    source: 'source',
    path: 'path',
    version: 'version',
    author: 'author',
    tools: 'allowed tools',
    arguments: 'arguments',
    params: 'parameters',
    actions: 'actions',
    spoken: 'found in its script',
    timeout: 'timeout',
    digest: 'digest',
    usage: 'usage',
    shadowed: 'shadowed by',
    unlimited: 'not restricted by the skill',
    none: 'none',
    other: 'other',
  },
  zh: {
    description: '描述',
    kind: '类型',
    source: '来源',
    path: '路径',
    version: '版本',
    author: '作者',
    tools: '允许的工具',
    arguments: '参数提示',
    params: '参数',
    actions: '操作',
    spoken: '见于其脚本',
    timeout: '时限',
    digest: '摘要值',
    usage: '使用',
    shadowed: '被遮蔽:',
    unlimited: '技能未限制',
    none: '无',
    other: '其他',
  },
} as const;

function renderFacts(
  { skill, digest, resources, limits: { timeout }, usage, spokenActions }: InspectedSkill,
  language: Language,
  terminal: Terminal,
): string {
  const label = LABELS[language];
  const { manifest } = skill;
  const tools = manifest.allowedTools?.map(({ tool, pattern }) =>
    pattern === undefined ? tool : `${tool}(${pattern})`,
  );
  const rows: [string, string | undefined][] = [
    [label.description, manifest.description || undefined],
    [label.kind, skill.kind],
    [
      label.source,
      skill.state === 'shadowed' ? `${skill.source}, ${label.shadowed} ${skill.shadowedBy}` : skill.source,
    ],
    [label.path, skill.folder],
    [label.version, manifest.version],
    [label.author, manifest.author],
    [label.tools, tools ? tools.join(', ') || label.none : label.unlimited],
    [label.arguments, manifest.argumentHint],
    ...below(label.params, manifest.params?.map(renderParam) ?? []),
    ...below(label.actions, manifest.actions?.flatMap(renderAction) ?? []),
    [label.actions, spokenActions.length > 0 ? `${spokenActions.join(', ')} (${label.spoken})` : undefined],
    [label.timeout, timeout === null ? undefined : `${timeout} s`],
    [label.digest, digest ?? label.none],
    [label.usage, renderUsage(usage, language)],
    ...Object.entries(resources).map(([kind, files]): [string, string | undefined] => [
      kind === 'other' ? label.other : kind,
      files.join(', ') || undefined,
    ]),
  ];
  const known = rows.flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, visible(value)]],
  );
  return renderList(known, terminal);
}

function renderUsage({ count, failures, average_ms, last_used }: UsageView, language: Language): string | undefined {
  if (count === 0 && failures === 0) return undefined;
  const seconds = count === 0 ? undefined : (average_ms ?? 0) / 1000;
  const average =
    seconds === undefined ? { en: '', zh: '' } : { en: ` (${seconds} s on average)`, zh: ` (平均 ${seconds} 秒)` };
  const last = last_used === null ? '' : `, ${last_used}`;
  return inLanguage(
    {
      en: `succeeded ${count}${average.en}, failed ${failures}${last}`,
      zh: `成功 ${count} 次${average.zh}, 失败 ${failures} 次${last}`,
    },
    language,
  );
}

function renderParam(param: Param): string {
  const { name, type, required, enum: choices, default: fallback } = param;
  const facts = [
    choices ? choices.join('|') : type,
    required && 'required',
    fallback !== undefined && `default ${fallback}`,
    ...(['minimum', 'maximum', 'minLength', 'maxLength', 'pattern'] as const).map(
      (word) => param[word] !== undefined && `${word} ${param[word]}`,
    ),
  ];
  const said = param.description ? `: ${param.description}` : '';
  return `${name} (${facts.filter(Boolean).join(', ')})${said}`;
}

function renderAction({ name, description, params }: SkillAction): string[] {
  return [description ? `${name}: ${description}` : name, ...params.map((param) => `  ${renderParam(param)}`)];
}

/** One line each, the first beside their label. */
function below(label: string, lines: readonly string[]): [string, string][] {
  return lines.map((line, at) => [at === 0 ? label : '', line]);
}
