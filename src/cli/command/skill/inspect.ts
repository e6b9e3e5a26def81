// `inspect`: one skill with everything that is known about it, and its body when asked for.
import { existsSync } from 'node:fs';
import { findSkill } from '../../../app/find-skill.ts';
import type { Runtime } from '../../../app/runtime.ts';
import { describeLimits, describeManifest, describeSkill } from '../../../app/view/skill.ts';
import type { Diagnostic } from '../../../base/diagnostic.ts';
import { Fault } from '../../../base/errors.ts';
import type { Language } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { renderList, type Terminal } from '../../../base/text/terminal.ts';
import { visible, visibleLines } from '../../../base/text.ts';
import { readBodyText } from '../../../loader/body.ts';
import { listResources, type ResourceKind } from '../../../loader/resource-list.ts';
import type { SkillEntry } from '../../../registry/discover.ts';
import { usageOf } from '../../../registry/usage.ts';
import { digestSkill } from '../../../skill/digest.ts';
import type { Param, SkillAction } from '../../../skill/skill.ts';
import { stateFile } from '../../../store/location.ts';
import { type Command, isOn, textOption } from '../../frame/command.ts';
import { SKILL, SOURCE } from '../../frame/skill-arguments.ts';
import { inLanguageOf, renderDiagnostics } from '../../view/diagnostic.ts';

interface UsageView {
  readonly count: number;
  readonly failures: number;
  readonly average_ms: number | null;
  readonly last_used: string | null;
}

interface Facts {
  readonly digest: string | null;
  readonly resources: Resources;
  readonly usage: UsageView;
}

type Resources = Record<(typeof FOLDERS)[ResourceKind], string[]>;

const FOLDERS = { script: 'scripts', reference: 'reference', asset: 'assets', other: 'other' } as const;

export const command: Command = {
  positionals: [SKILL],
  options: [
    { name: 'body', summary: { en: 'also its instructions, without the frontmatter', zh: '包括正文，不含前言' } },
    SOURCE,
  ],
  examples: ['skillwright inspect pdf', 'skillwright inspect user:pdf --body'],
  async run({ positionals, options, runtime, terminal }) {
    const skill = findSkill(runtime.index(), positionals[0] ?? '', textOption(options, 'source'));
    const { digest, problems } = tryDigest(skill);
    const diagnostics = await inLanguageOf([...skill.diagnostics, ...problems], runtime.language);
    const resources = sortResources(skill);
    const body = isOn(options, 'body') ? readBodyText(skill, {}).text : undefined;
    const usage = await readUsage(skill, runtime);
    const outcome = makeOutcome(runtime.answering('skillwright', 'own'), 'success', skill.skillId, {
      skill: describeSkill(skill),
      manifest: describeManifest(skill.manifest),
      digest,
      resources,
      limits: describeLimits(skill.kind, skill.manifest),
      usage,
      diagnostics,
      ...(body !== undefined && { body }),
    });
    const parts = [
      renderFacts(skill, { digest, resources, usage }, runtime.language, terminal),
      renderDiagnostics(diagnostics, runtime.project, terminal),
      body !== undefined && `\n${visibleLines(body)}`,
    ];
    return { outcome, human: parts.filter(Boolean).join('\n') };
  },
};

/** A folder that cannot be executed has no digest; it can still be looked at. */
function tryDigest(skill: SkillEntry): { digest: string | null; problems: Diagnostic[] } {
  try {
    return { digest: digestSkill(skill.folder).digest, problems: [] };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return {
      digest: null,
      problems: [{ code: 'no-digest', severity: 'error', path: skill.folder, message: error.message }],
    };
  }
}

function sortResources(skill: SkillEntry): Resources {
  const resources: Resources = { scripts: [], reference: [], assets: [], other: [] };
  for (const { kind, path } of listResources(skill).items) resources[FOLDERS[kind]].push(path);
  return resources;
}

/** Looking at a skill makes no database where there is none. */
async function readUsage(skill: SkillEntry, runtime: Runtime): Promise<UsageView> {
  if (!existsSync(stateFile(runtime))) return { count: 0, failures: 0, average_ms: null, last_used: null };
  using store = await runtime.openStore();
  const { count, failures, totalMs, lastUsed } = usageOf(store, skill);
  return {
    count,
    failures,
    average_ms: count > 0 ? Math.round(totalMs / count) : null,
    last_used: lastUsed === undefined ? null : new Date(lastUsed).toISOString(),
  };
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
    params: 'parameters',
    actions: 'actions',
    timeout: 'timeout',
    digest: 'digest',
    usage: 'usage',
    shadowed: 'shadowed by',
    unlimited: 'not restricted by the skill',
    none: 'none',
  },
  zh: {
    description: '描述',
    kind: '类型',
    source: '来源',
    path: '路径',
    version: '版本',
    author: '作者',
    tools: '允许的工具',
    params: '参数',
    actions: '操作',
    timeout: '时限',
    digest: '摘要值',
    usage: '使用',
    shadowed: '被遮蔽:',
    unlimited: '技能未限制',
    none: '无',
  },
} as const;

function renderFacts(
  skill: SkillEntry,
  { digest, resources, usage }: Facts,
  language: Language,
  terminal: Terminal,
): string {
  const label = LABELS[language];
  const { manifest } = skill;
  const { timeout } = describeLimits(skill.kind, manifest);
  const tools = manifest.allowedTools?.map(({ tool, pattern }) =>
    pattern === undefined ? tool : `${tool}(${pattern})`,
  );
  const rows: [string, string | undefined][] = [
    [label.description, manifest.description],
    [label.kind, skill.kind],
    [
      label.source,
      skill.state === 'shadowed' ? `${skill.source}, ${label.shadowed} ${skill.shadowedBy}` : skill.source,
    ],
    [label.path, skill.folder],
    [label.version, manifest.version],
    [label.author, manifest.author],
    [label.tools, tools ? tools.join(', ') || label.none : label.unlimited],
    [label.params, manifest.params?.map(renderParam).join(', ')],
    [label.actions, manifest.actions?.map(renderAction).join(', ')],
    [label.timeout, timeout === null ? undefined : `${timeout} s`],
    [label.digest, digest ?? label.none],
    [label.usage, renderUsage(usage, language)],
    ...Object.entries(resources).map(([kind, files]): [string, string | undefined] => [
      kind,
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
  const seconds = (average_ms ?? 0) / 1000;
  const last = last_used === null ? '' : `, ${last_used}`;
  return language === 'zh'
    ? `成功 ${count} 次 (平均 ${seconds} 秒), 失败 ${failures} 次${last}`
    : `succeeded ${count} (${seconds} s on average), failed ${failures}${last}`;
}

function renderParam({ name, type, required, enum: choices, default: fallback }: Param): string {
  const facts = [
    choices ? choices.join('|') : type,
    required && 'required',
    fallback !== undefined && `default ${fallback}`,
  ];
  return `${name} (${facts.filter(Boolean).join(', ')})`;
}

function renderAction({ name, params }: SkillAction): string {
  return params.length === 0 ? name : `${name} [${params.map(renderParam).join(', ')}]`;
}
