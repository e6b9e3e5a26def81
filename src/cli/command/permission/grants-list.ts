// `grants list`: every standing permission of this project, and whether it still counts.
import { describeGrant } from '../../../app/view/grant.ts';
import type { Language, Text } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { renderTable } from '../../../base/text/terminal.ts';
import { workerFolder } from '../../../door/kind/worker.ts';
import { followed } from '../../../door/standing-grant.ts';
import type { Grant } from '../../../policy/grant/grant.ts';
import { openGrants } from '../../../policy/grant/store.ts';
import { calledName } from '../../../registry/called-name.ts';
import type { SkillEntry } from '../../../registry/discover.ts';
import { boundDigest } from '../../../registry/role/skill.ts';
import { digestIfSound } from '../../../skill/digest.ts';
import type { Command } from '../../frame/command.ts';
import { titledColumns } from '../../view/titled-columns.ts';

const STATES = {
  active: { en: 'active', zh: '有效' },
  expired: { en: 'expired', zh: '已过期' },
  changed: { en: 'void: the files changed', zh: '失效: 文件已更改' },
  missing: { en: 'void: no such skill', zh: '失效: 技能不存在' },
} as const satisfies Record<string, Text>;
type State = keyof typeof STATES;

export const command: Command = {
  positionals: [],
  options: [],
  examples: ['skillwright grants list', 'skillwright grants list --json'],
  async run({ runtime, terminal }) {
    const grants = openGrants(runtime.home, runtime.project)
      .list()
      .sort((a, b) => a.created - b.created);
    const judge = createJudge(
      [
        ...runtime.index().skills,
        ...(await skillsOfRoles(runtime.project, grants)),
        // What `grants add bin` binds to is no skill of the index.
        workerFolder(runtime.places.project),
      ],
      runtime.clock.now(),
    );
    const judged = grants.map((grant) => ({ grant, state: judge(grant) }));
    const outcome = makeOutcome(runtime.answering('skillwright', 'own'), 'success', countGrants(judged), {
      grants: judged.map(({ grant, state }) => ({ ...describeGrant(grant), state })),
    });
    if (grants.length === 0) return { outcome };
    const rows = judged.map(({ grant, state }) => renderRow(grant, state, runtime.language));
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

/** Roles are read only where a grant could be for one of theirs. */
async function skillsOfRoles(project: string, grants: readonly Grant[]): Promise<SkillEntry[]> {
  if (!grants.some(({ skill }) => skill.includes('/'))) return [];
  const { allRoleSkills } = await import('../../../registry/role/role.ts');
  return await allRoleSkills(project);
}

function createJudge(skills: readonly SkillEntry[], now: number): (grant: Grant) => State {
  const digests = new Map<string, string | undefined>();
  const digestOf = (folder: string): string | undefined => {
    if (!digests.has(folder)) digests.set(folder, digestIfSound(folder));
    return digests.get(folder);
  };
  return ({ bound, skill, expires }) => {
    if (now >= expires) return 'expired';
    if ('follow' in bound) return skills.some((entry) => followed(entry) === bound.follow) ? 'active' : 'missing';
    const named = skills.filter((entry) => calledName(entry) === skill);
    if (named.length === 0) return 'missing';
    return named.some((entry) => boundDigest(entry, digestOf(entry.folder) ?? '') === bound.digest)
      ? 'active'
      : 'changed';
  };
}

function renderRow(grant: Grant, state: State, language: Language): string[] {
  const { id, skill, what, network, tier, expires } = describeGrant(grant);
  return [id, skill, network ? '✓' : '–', tier, expires.slice(0, 16), STATES[state][language], what];
}

function countGrants(judged: readonly { readonly state: State }[]): Text {
  const active = judged.filter(({ state }) => state === 'active').length;
  if (judged.length === 0) return { en: 'nothing is granted here', zh: '没有授权' };
  const plural = judged.length === 1 ? 'grant' : 'grants';
  return { en: `${judged.length} ${plural}, ${active} active`, zh: `共 ${judged.length} 项授权，${active} 项有效` };
}
