// `list`: the skills a person can use from here.
import type { Language, Text } from '../base/language.ts';
import { makeOutcome } from '../base/outcome.ts';
import { renderTable } from '../base/terminal.ts';
import { allDiagnostics, type SkillEntry } from '../registry/discover.ts';
import { SOURCES } from '../skill/skill.ts';
import { type Command, isOn, type OptionValues, textOption } from './command.ts';
import { describeSkill } from './skill-view.ts';

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
    const skills = index.skills.filter((skill) => isListed(skill, options));
    const diagnostics = allDiagnostics(index);
    const problems = diagnostics.filter(({ severity }) => severity !== 'info').length;
    const outcome = makeOutcome(runtime.answering('skillwright', 'own'), 'success', countSkills(skills), {
      skills: skills.map(describeSkill),
      total: skills.length,
      diagnostics,
    });
    return {
      outcome,
      ...(skills.length > 0 && {
        human: renderTable(
          COLUMNS,
          skills.map((skill) => renderRow(skill, runtime.language)),
          terminal,
        ),
      }),
      ...(problems > 0 && { hint: problemHint(problems)[runtime.language] }),
    };
  },
};

const COLUMNS = [
  { title: 'NAME', style: 'cyan' },
  { title: 'KIND' },
  { title: 'SOURCE' },
  { title: 'DESCRIPTION' },
] as const;

const SHADOWED: Text = { en: ' (shadowed)', zh: ' (被遮蔽)' };

function isListed(skill: SkillEntry, options: OptionValues): boolean {
  const source = textOption(options, 'source');
  if (source !== undefined && skill.source !== source) return false;
  if (isOn(options, 'all')) return true;
  return skill.manifest.userInvocable && (skill.state === 'visible' || source !== undefined);
}

function renderRow(skill: SkillEntry, language: Language): string[] {
  const name = skill.folderName.includes('/') ? skill.folderName : skill.name;
  const mark = skill.state === 'shadowed' ? SHADOWED[language] : '';
  return [name, skill.kind, skill.source + mark, skill.manifest.description.replace(/\s+/g, ' ')];
}

function countSkills(skills: readonly SkillEntry[]): Text {
  if (skills.length === 0) return { en: 'no skills here', zh: '没有技能' };
  const counts = SOURCES.map((source) => [source, skills.filter((skill) => skill.source === source).length] as const);
  const parts = counts.filter(([, number]) => number > 0).map(([source, number]) => `${source} ${number}`);
  const plural = skills.length === 1 ? 'skill' : 'skills';
  return {
    en: `${skills.length} ${plural}: ${parts.join(', ')}`,
    zh: `共 ${skills.length} 个技能: ${parts.join(', ')}`,
  };
}

function problemHint(problems: number): Text {
  return {
    en: `${problems} ${problems === 1 ? 'problem' : 'problems'} found on the way; \`skillwright doctor\` shows them.`,
    zh: `发现 ${problems} 个问题；运行 \`skillwright doctor\` 查看。`,
  };
}
