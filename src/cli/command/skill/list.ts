// `list`: the skills a person can use from here.
import { describeSkill } from '../../../app/view/skill.ts';
import type { Diagnostic } from '../../../base/diagnostic.ts';
import type { Language, Text } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { type CellColumn, tableLines } from '../../../base/text/terminal.ts';
import { visibleOnOneLine } from '../../../base/text.ts';
import { calledName } from '../../../registry/called-name.ts';
import { allDiagnostics, eachDiagnostic, type Index, type ListedSkill } from '../../../registry/discover.ts';
import { describeUnseen, unseenFolders } from '../../../registry/unseen.ts';
import { SOURCES } from '../../../skill/skill.ts';
import { type Command, isOn, type OptionValues, textOption } from '../../frame/command.ts';
import { problemHint } from '../../view/problem-hint.ts';

export const command: Command = {
  positionals: [],
  options: [
    {
      name: 'source',
      value: 'SOURCE',
      choices: SOURCES,
      summary: { en: 'only skills of this source, shadowed ones too', zh: '仅列出此来源的技能，包括被遮蔽的' },
    },
    {
      name: 'all',
      summary: { en: 'also shadowed skills and those only a model may choose', zh: '包括被遮蔽的与仅供模型选择的技能' },
    },
    { name: 'deep', summary: { en: 'also skills inside the folders of other skills', zh: '包括技能目录内嵌套的技能' } },
  ],
  examples: ['skillwright list', 'skillwright list --source user --json'],
  async run({ options, runtime, terminal }) {
    const index = runtime.index({ deep: isOn(options, 'deep') });
    const skills = chooseSkills(index, options);
    const unseen = unseenFolders(index);
    const hint = await problemHint(unseen, countProblems(index), runtime);
    const state = unseen.length === 0 ? 'success' : 'partial';
    const outcome = makeOutcome(
      runtime.answering('skillwright', 'own'),
      state,
      countSkills(skills, index.diagnostics),
      {
        // Made when a program asks for it; people see the lines below.
        get skills() {
          return skills.map(describeSkill);
        },
        total: skills.length,
        get diagnostics() {
          return allDiagnostics(index);
        },
      },
    );
    return {
      outcome,
      ...(skills.length > 0 && { lines: tableLines(columnsIn(runtime.language), skills, terminal, visibleOnOneLine) }),
      ...(hint !== undefined && { hint }),
    };
  },
};

const SHADOWED: Text = { en: ' (shadowed)', zh: ' (被遮蔽)' };

const TITLES = {
  name: { en: 'NAME', zh: '名称' },
  kind: { en: 'KIND', zh: '类型' },
  source: { en: 'SOURCE', zh: '来源' },
  description: { en: 'DESCRIPTION', zh: '描述' },
} as const satisfies Record<string, Text>;

function columnsIn(language: Language): CellColumn<ListedSkill>[] {
  return [
    {
      title: TITLES.name[language],
      style: 'cyan',
      cell: calledName,
    },
    { title: TITLES.kind[language], cell: ({ kind }) => kind },
    {
      title: TITLES.source[language],
      cell: ({ source, state }) => (state === 'visible' ? source : source + SHADOWED[language]),
    },
    { title: TITLES.description[language], cell: ({ description }) => description },
  ];
}

function chooseSkills({ skills }: Index, options: OptionValues): readonly ListedSkill[] {
  const source = textOption(options, 'source');
  const ofSource = source === undefined ? skills : skills.filter((skill) => skill.source === source);
  if (isOn(options, 'all')) return ofSource;
  return ofSource.filter(({ userInvocable, state }) => {
    return userInvocable && (state === 'visible' || source !== undefined);
  });
}

function countProblems(index: Index): number {
  let problems = 0;
  for (const { severity } of eachDiagnostic(index)) if (severity !== 'info') problems++;
  return problems;
}

function countSkills(skills: readonly ListedSkill[], found: readonly Diagnostic[]): Text {
  const unseen = describeUnseen(found);
  if (skills.length === 0) return { en: `no skills here${unseen.en}`, zh: `没有技能${unseen.zh}` };
  const counts = { project: 0, user: 0, builtin: 0 };
  for (const { source } of skills) counts[source]++;
  const parts = SOURCES.filter((source) => counts[source] > 0).map((source) => `${source} ${counts[source]}`);
  const plural = skills.length === 1 ? 'skill' : 'skills';
  return {
    en: `${skills.length} ${plural}: ${parts.join(', ')}${unseen.en}`,
    zh: `共 ${skills.length} 个技能: ${parts.join(', ')}${unseen.zh}`,
  };
}
