// `roles list`: the roles of this project and what each can do.
import { listProjectRoles } from '../../../app/role/list.ts';
import type { Text } from '../../../base/language.ts';
import { renderTable } from '../../../base/text/terminal.ts';
import type { Command } from '../../frame/command.ts';
import { renderDiagnostics } from '../../view/diagnostic.ts';
import { titledColumns } from '../../view/titled-columns.ts';

export const command: Command = {
  about: {
    en: 'A role is a folder agents/<role>/ with an agent.yaml.',
    zh: '角色是含有 agent.yaml 的 agents/<角色>/ 目录。',
  },
  positionals: [],
  options: [],
  examples: ['skillwright roles list', 'skillwright roles list --json'],
  async run({ runtime, terminal }) {
    const { outcome, roles, diagnostics } = await listProjectRoles(runtime);
    const rows = roles.map(({ name, skills, schedule, description = '' }) => [
      name,
      skills.map((skill) => skill.name).join(', '),
      String(schedule.length),
      description,
    ]);
    const parts = [
      rows.length === 0 ? '' : renderTable(titledColumns(TITLES, runtime.language), rows, terminal),
      renderDiagnostics(diagnostics, runtime.project, terminal),
    ];
    return { outcome, human: parts.filter((part) => part !== '').join('\n') };
  },
};

const TITLES: readonly Text[] = [
  { en: 'ROLE', zh: '角色' },
  { en: 'SKILLS', zh: '技能' },
  { en: 'SCHEDULES', zh: '定时任务' },
  { en: 'DESCRIPTION', zh: '描述' },
];
