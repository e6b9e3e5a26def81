// `grants list`: every standing permission of this project, and whether it still counts.
import { type Dependents, dependentsOf } from '../../../app/grant/dependent.ts';
import { type GrantState, type JudgedGrant, listGrants } from '../../../app/grant/list.ts';
import { describeGrant, sayGrant } from '../../../app/view/grant.ts';
import { inLanguage, type Language, type Text } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { renderRecords } from '../../../base/text/record-table.ts';
import { wrap } from '../../../base/text/terminal.ts';
import { visible } from '../../../base/text.ts';
import type { Command } from '../../frame/command.ts';
import { recordColumns, type WholeTitle } from '../../view/titled-columns.ts';

const STATES = {
  active: { en: 'active', zh: '有效' },
  expired: { en: 'expired', zh: '已过期' },
  changed: { en: 'void: the files changed', zh: '失效: 文件已更改' },
  missing: { en: 'void: no such skill', zh: '失效: 技能不存在' },
} as const satisfies Record<GrantState, Text>;

export const command: Command = {
  positionals: [],
  options: [],
  examples: ['skillwright grants list', 'skillwright grants list --json'],
  async run({ runtime, terminal }) {
    const judged = await listGrants(runtime);
    const dependents = await dependentsOf(
      judged.map(({ grant }) => grant),
      runtime,
    );
    const outcome = makeOutcome(runtime.answering('skillwright', 'own'), 'success', countGrants(judged), {
      grants: judged.map(({ grant, state, declared }) => {
        const needed = dependents.get(grant.id);
        const handed = declared.length > 0 && { declared_variables: declared };
        return { ...describeGrant(grant), ...handed, state, ...(needed && { needed_by: needed }) };
      }),
    });
    if (judged.length === 0) return { outcome };
    const rows = judged.map((one) => renderRow(one, runtime.language));
    const table = renderRecords(recordColumns(TITLES, runtime.language), rows, terminal);
    const notes = [...dependents].map(
      ([id, needed]) => `${id}: ${inLanguage(sayDependents(needed), runtime.language)}`,
    );
    return { outcome, human: [table, ...notes.flatMap((note) => wrap(visible(note), terminal.width))].join('\n') };
  },
};

const TITLES: readonly WholeTitle[] = [
  { en: 'ID', zh: 'ID' },
  { en: 'SKILL', zh: '技能', whole: true },
  { en: 'NETWORK', zh: '网络' },
  { en: 'TIER', zh: '沙箱' },
  { en: 'EXPIRES', zh: '有效期至' },
  { en: 'STATE', zh: '状态', whole: true },
  { en: 'MAY', zh: '可以' },
];

function renderRow({ grant, state, declared }: JudgedGrant, language: Language): string[] {
  const { id, skill, network, tier, expires } = describeGrant(grant);
  return [
    id,
    skill,
    network ? '✓' : '–',
    tier,
    until(expires, language),
    STATES[state][language],
    sayGrant(grant, declared)[language],
  ];
}

/** To the minute, in UTC. */
function until(expires: string | null, language: Language): string {
  return expires === null ? NEVER[language] : `${expires.slice(0, 16)}Z`;
}

const NEVER: Text = { en: 'never', zh: '永不' };

function countGrants(judged: readonly JudgedGrant[]): Text {
  const active = judged.filter(({ state }) => state === 'active').length;
  if (judged.length === 0) return { en: 'nothing is granted here', zh: '没有授权' };
  const plural = judged.length === 1 ? 'grant' : 'grants';
  return { en: `${judged.length} ${plural}, ${active} active`, zh: `共 ${judged.length} 项授权，${active} 项有效` };
}

/** What would wait, or find less, without it. */
function sayDependents({ schedules, questions }: Dependents): Text {
  const en = [
    ...(schedules.length > 0
      ? [`${schedules.length === 1 ? 'the schedule' : 'the schedules'} ${schedules.join(', ')}`]
      : []),
    ...(questions.length > 0
      ? [`${questions.length === 1 ? 'the question' : 'the questions'} ${questions.join(', ')}`]
      : []),
  ];
  const zh = [
    ...(schedules.length > 0 ? [`定时任务 ${schedules.join('、')}`] : []),
    ...(questions.length > 0 ? [`待定问题 ${questions.join('、')}`] : []),
  ];
  const verb = schedules.length + questions.length === 1 ? 'depends' : 'depend';
  return { en: `${en.join(' and ')} ${verb} on it`, zh: `${zh.join('与')}依赖于它` };
}
