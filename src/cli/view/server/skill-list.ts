// The skills of a server, as `list --from` shows them.
import { type ListedServedSkill, listServedSkills, type ServedSkillList } from '../../../app/server/skill/list.ts';
import type { Language, Text } from '../../../base/language.ts';
import { type Data, makeOutcome } from '../../../base/outcome.ts';
import { counted } from '../../../base/text/counted.ts';
import { type CellColumn, type Terminal, tableLines } from '../../../base/text/terminal.ts';
import { visible, visibleOnOneLine } from '../../../base/text.ts';
import type { CommandContext, Reply } from '../../frame/command.ts';
import { pipedCell } from '../piped-cell.ts';

const LONGEST = 1024;

export async function replyWithServed(server: string, { runtime, terminal }: CommandContext): Promise<Reply> {
  const list = await listServedSkills(server, runtime);
  const { skills, refused, isCut } = list;
  const count = skills.length;
  const summary = {
    en: `${counted(count, 'skill')} served by ${server}`,
    zh: `${server} 提供 ${count} 个技能`,
  };
  const hint = hintsOf(list, runtime.language).join('\n');
  return {
    outcome: makeOutcome(runtime.answering('skillwright', 'own'), 'success', summary, {
      server,
      total: count,
      skills: skills.map(describe),
      refused: refused.map(({ uri, reason }) => ({ uri: uri ?? null, reason: reason[runtime.language] })),
      cut: isCut,
    }),
    ...(count > 0 && { lines: tableLines(columns(runtime.language, terminal), skills, terminal, visibleOnOneLine) }),
    ...(hint !== '' && { hint }),
  };
}

function describe({ skill, address, installed, others }: ListedServedSkill): Data {
  const { name, uri, digest, files } = skill;
  return {
    name,
    address,
    uri,
    description: cut(skill.description),
    digest: files ? digest : null,
    files: files?.length ?? null,
    bytes: files?.reduce((sum, { size }) => sum + size, 0) ?? null,
    installed: installed.map((one) => ({ scope: one.scope, digest: one.digest, current: one.isCurrent })),
    others: others.map(({ skillId, source, folder }) => ({ skill_id: skillId, source, path: folder })),
  };
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}…` : text;
}

function hintsOf({ refused, isCut }: ServedSkillList, language: Language): string[] {
  const shown = refused
    .slice(0, 5)
    .map(({ uri = '?', reason }) => `✗ ${visible(uri.slice(0, 200))}: ${reason[language]}`);
  const more = refused.length > 5 ? [`… (${refused.length - 5})`] : [];
  return [...shown, ...more, ...(isCut ? [CUT[language]] : [])];
}

const CUT: Text = {
  en: 'The server has more: name a skill by its address, SERVER:skill://…/SKILL.md.',
  zh: '服务器还有更多技能: 可用地址 SERVER:skill://…/SKILL.md 指定。',
};

const TITLES = {
  name: { en: 'SKILL', zh: '技能' },
  here: { en: 'HERE', zh: '本地' },
  description: { en: 'IN ITS OWN WORDS', zh: '其自述' },
} as const satisfies Record<string, Text>;

const STATES = {
  installed: { en: 'installed', zh: '已安装' },
  changed: { en: 'changed since', zh: '已有更新' },
  other: { en: 'another, of', zh: '另有同名:' },
} as const satisfies Record<string, Text>;

function columns(language: Language, { width }: Pick<Terminal, 'width'>): CellColumn<ListedServedSkill>[] {
  return [
    { title: TITLES.name[language], style: 'cyan', cell: ({ address }) => address },
    { title: TITLES.here[language], cell: (skill) => stateOf(skill, language) },
    {
      title: TITLES.description[language],
      cell: ({ skill }) => pipedCell(cut(skill.description), { width }),
    },
  ];
}

export function stateOf(
  { installed, others }: Pick<ListedServedSkill, 'installed' | 'others'>,
  language: Language,
): string {
  const own = installed.map(({ isCurrent }) => STATES[isCurrent ? 'installed' : 'changed'][language]);
  const other =
    others.length === 0 ? [] : [`${STATES.other[language]} ${others.map(({ source }) => source).join(', ')}`];
  return [...new Set([...own, ...other])].join('; ');
}
