// One skill of a server, as `inspect` shows it before anything of it is here.
import { type InspectedServedSkill, inspectServedSkill } from '../../../app/server/skill/inspect.ts';
import type { Language } from '../../../base/language.ts';
import { type Data, makeOutcome } from '../../../base/outcome.ts';
import { renderList, type Terminal } from '../../../base/text/terminal.ts';
import { visible, visibleLines } from '../../../base/text.ts';
import type { ServedName } from '../../../distribution/source/served-name.ts';
import type { CommandContext, Reply } from '../../frame/command.ts';
import { stateOf } from './skill-list.ts';

export async function replyWithInspected(
  name: ServedName,
  file: string | undefined,
  { runtime, terminal }: CommandContext,
): Promise<Reply> {
  const { language } = runtime;
  const found = await inspectServedSkill(name, file, runtime);
  const { skill, server, read, problem } = found;
  const parts = [
    renderFacts(found, language, terminal),
    problem && `\n${LABELS[language].problem}: ${visible(problem.detail[language])}`,
    read && `\n${renderText(read.bytes, language)}`,
  ];
  const said = { en: `${server}:${skill.name}`, zh: `${server}:${skill.name}` };
  return {
    outcome: makeOutcome(runtime.answering('skillwright', 'own'), 'success', said, describe(found, language)),
    human: parts.filter(Boolean).join('\n'),
  };
}

const LABELS = {
  en: {
    server: 'served by',
    uri: 'address',
    here: 'here',
    digest: 'digest',
    none: 'none: made up anew each time',
    signed: 'signed by',
    nobody: 'nobody; digests only say that what comes is what was listed',
    files: 'files',
    problem: 'cannot be installed',
    binary: 'no text',
  },
  zh: {
    server: '来自服务器',
    uri: '地址',
    here: '本地',
    digest: '摘要值',
    none: '无: 每次动态生成',
    signed: '签名',
    nobody: '无；摘要仅说明所得与列表一致',
    files: '文件',
    problem: '无法安装',
    binary: '非文本',
  },
} as const;

/** Nothing has been read of it: these are the words of the server. */
function renderFacts(found: InspectedServedSkill, language: Language, terminal: Terminal): string {
  const { server, skill } = found;
  const label = LABELS[language];
  const fields = Object.entries(skill.frontmatter).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  const files = (skill.files ?? []).map(({ path, size, digest }, at): [string, string] => [
    at === 0 ? label.files : '',
    `${path} (${size}, ${digest})`,
  ]);
  const rows: [string, string][] = [
    [label.server, server],
    [label.uri, skill.uri],
    [label.here, stateOf(found, language) || '-'],
    [label.signed, label.nobody],
    [label.digest, skill.files ? skill.digest : label.none],
    ...fields,
    ...files,
  ];
  const shown = rows.map(([name, value]): [string, string] => [visible(name.slice(0, 40)), visible(value)]);
  return renderList(shown, terminal);
}

function renderText(bytes: Buffer, language: Language): string {
  const text = textOf(bytes);
  return text === undefined ? `(${LABELS[language].binary}: ${bytes.length})` : visibleLines(text);
}

function describe({ server, skill, installed, others, read, problem }: InspectedServedSkill, language: Language): Data {
  const { uri, name, description, frontmatter, files, digest } = skill;
  return {
    server,
    skill: { name, description, uri, signed: false, digest: files ? digest : null },
    frontmatter,
    files: files?.map((file) => ({ path: file.path, uri: file.uri, size: file.size, digest: file.digest })) ?? null,
    installed: installed.map((one) => ({ scope: one.scope, digest: one.digest, current: one.isCurrent })),
    others: others.map(({ skillId, source, folder }) => ({ skill_id: skillId, source, path: folder })),
    ...(problem && { problem: { type: problem.type, reason: problem.detail[language] } }),
    ...(read && { read: describeRead(read) }),
  };
}

function describeRead({ path, bytes }: NonNullable<InspectedServedSkill['read']>): Data {
  const text = textOf(bytes);
  return { path, size: bytes.length, ...(text === undefined ? { base64: bytes.toString('base64') } : { text }) };
}

function textOf(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
