// `list`: the skills a person can use from here, or those that a server offers.
import { answerList, listSkills, listWithRoles, type SkillList } from '../../../app/skill/list.ts';
import type { Language, Text } from '../../../base/language.ts';
import { type CellColumn, type Terminal, tableLines } from '../../../base/text/terminal.ts';
import { visibleOnOneLine } from '../../../base/text.ts';
import type { ListedSkill } from '../../../registry/discover.ts';
import { SOURCES } from '../../../skill/skill.ts';
import { type Command, isOn, textOption } from '../../frame/command.ts';
import { chooseFormat } from '../../frame/global-options.ts';
import { pipedCell } from '../../view/piped-cell.ts';
import { problemHint } from '../../view/problem-hint.ts';

export const command: Command = {
  positionals: [],
  options: [
    {
      name: 'source',
      also: 'scope',
      value: 'SOURCE',
      choices: SOURCES,
      summary: { en: 'only skills of this source, shadowed ones too', zh: '仅列出此来源的技能，包括被遮蔽的' },
    },
    {
      name: 'all',
      summary: { en: 'also shadowed skills and those only a model may choose', zh: '包括被遮蔽的与仅供模型选择的技能' },
    },
    { name: 'deep', summary: { en: 'also skills inside the folders of other skills', zh: '包括技能目录内嵌套的技能' } },
    {
      name: 'from',
      value: 'SERVER',
      summary: {
        en: 'those that this MCP server of your settings offers, by what it says of them',
        zh: '列出您配置的此 MCP 服务器所提供的技能（以其自述为准）',
      },
    },
    {
      name: 'roles',
      summary: { en: 'also the skills of roles, as role/skill', zh: '包括角色的技能，显示为 角色/技能' },
    },
  ],
  examples: [
    'skillwright list',
    'skillwright list --roles',
    'skillwright list --source user --json',
    'skillwright list --from files',
  ],
  async run(context) {
    const { options, runtime, terminal } = context;
    const server = textOption(options, 'from');
    if (server !== undefined) {
      const { replyWithServed } = await import('../../view/server/skill-list.ts');
      return await replyWithServed(server, context);
    }
    const wish = { source: textOption(options, 'source'), all: isOn(options, 'all'), deep: isOn(options, 'deep') };
    const list = isOn(options, 'roles') ? await listWithRoles(runtime, wish) : listSkills(runtime, wish);
    const { skills } = list;
    const hint = await problemHint(list.unseen, list.problems, runtime);
    return {
      outcome: answerList(list, runtime, chooseFormat(options) === 'human' ? 'counts' : 'every field'),
      ...(skills.length > 0 && {
        lines: tableLines(columnsIn(list, runtime.language, terminal), skills, terminal, visibleOnOneLine),
      }),
      ...(hint !== undefined && { hint }),
    };
  },
};

const SHADOWED: Text = { en: ' (shadowed)', zh: ' (被遮蔽)' };
const SHADOWS: Text = { en: 'shadows', zh: '遮蔽' };

const TITLES = {
  name: { en: 'NAME', zh: '名称' },
  kind: { en: 'KIND', zh: '类型' },
  source: { en: 'SOURCE', zh: '来源' },
  description: { en: 'DESCRIPTION', zh: '描述' },
} as const satisfies Record<string, Text>;

// Below it a description is worth more than kind and source, which `inspect` shows.
const NARROW = 72;

function columnsIn(
  { nameOf, hidden: hiddenOf }: SkillList,
  language: Language,
  { width }: Pick<Terminal, 'width'>,
): CellColumn<ListedSkill>[] {
  const columns: CellColumn<ListedSkill>[] = [
    { title: TITLES.name[language], style: 'cyan', cell: nameOf },
    { title: TITLES.kind[language], cell: ({ kind }) => kind },
    {
      title: TITLES.source[language],
      cell: (skill) => {
        if (skill.state === 'shadowed') return skill.source + SHADOWED[language];
        const hidden = skill.state === 'visible' ? (hiddenOf.get(skill.name) ?? []) : [];
        return hidden.length === 0 ? skill.source : `${skill.source} (${SHADOWS[language]} ${hidden.join(', ')})`;
      },
    },
    {
      title: TITLES.description[language],
      cell: ({ description }) => pipedCell(description, { width }),
    },
  ];
  return width < NARROW ? columns.filter((_, at) => at !== 1 && at !== 2) : columns;
}
