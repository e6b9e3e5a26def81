// `grants list`: every standing permission of this project, and whether it still counts.
import { type GrantState, type JudgedGrant, listGrants } from '../../../app/grant/list.ts';
import { describeGrant, sayGrant } from '../../../app/view/grant.ts';
import type { Language, Text } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { renderTable } from '../../../base/text/terminal.ts';
import type { Command } from '../../frame/command.ts';
import { titledColumns } from '../../view/titled-columns.ts';

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
    const outcome = makeOutcome(runtime.answering('skillwright', 'own'), 'success', countGrants(judged), {
      grants: judged.map(({ grant, state }) => ({ ...describeGrant(grant), state })),
    });
    if (judged.length === 0) return { outcome };
    const rows = judged.map((one) => renderRow(one, runtime.language));
    return { outcome, human: renderTable(titledColumns(TITLES, runtime.language), rows, terminal) };
  },
};

const TITLES: readonly Text[] = [
  { en: 'ID', zh: 'ID' },
  { en: 'SKILL', zh: '技能' },
  { en: 'NETWORK', zh: '网络' },
  { en: 'TIER', zh: '沙箱' },
  { en: 'EXPIRES', zh: '有效期至' },
  { en: 'STATE', zh: '状态' },
  { en: 'MAY', zh: '可以' },
];

function renderRow({ grant, state }: JudgedGrant, language: Language): string[] {
  const { id, skill, network, tier, expires } = describeGrant(grant);
  return [
    id,
    skill,
    network ? '✓' : '–',
    tier,
    until(expires, language),
    STATES[state][language],
    sayGrant(grant)[language],
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
