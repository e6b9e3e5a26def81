// `roles list`: the roles of this project and what each can do.
import { speak } from '../base/diagnostic.ts';
import type { Text } from '../base/language.ts';
import { makeOutcome } from '../base/outcome.ts';
import { renderTable } from '../base/terminal.ts';
import { listRoles, type Role } from '../registry/role.ts';
import type { Command } from './command.ts';
import { renderDiagnostics } from './diagnostic.ts';

export const command: Command = {
  about: {
    en: 'A role is a folder agents/<role>/ with an agent.yaml.',
    zh: '角色是含有 agent.yaml 的 agents/<角色>/ 目录。',
  },
  positionals: [],
  options: [],
  examples: ['skillwright roles list', 'skillwright roles list --json'],
  async run({ runtime, terminal }) {
    const roles = await listRoles(runtime.project);
    const diagnostics = speak(
      roles.flatMap((role) => role.diagnostics),
      runtime.language,
    );
    const outcome = makeOutcome(runtime.answering('skillwright', 'own'), 'success', countRoles(roles.length), {
      roles: roles.map(describe),
      total: roles.length,
      diagnostics,
    });
    const rows = roles.map(({ name, skills, schedule, description = '' }) => [
      name,
      skills.map((skill) => skill.name).join(', '),
      String(schedule.length),
      description,
    ]);
    const table = rows.length === 0 ? '' : renderTable(COLUMNS, rows, terminal);
    const found = renderDiagnostics(diagnostics, runtime.project, terminal);
    return { outcome, human: [table, found].filter((part) => part !== '').join('\n') };
  },
};

const COLUMNS = [
  { title: 'ROLE', style: 'cyan' },
  { title: 'SKILLS' },
  { title: 'SCHEDULES' },
  { title: 'DESCRIPTION' },
] as const;

function describe({ name, description, file, skills, schedule, usable }: Role) {
  return {
    name,
    description: description ?? null,
    path: file,
    skills: skills.map((skill) => skill.name),
    schedules: schedule.length,
    usable,
  };
}

function countRoles(count: number): Text {
  if (count === 0) return { en: 'no roles here', zh: '没有角色' };
  return { en: `${count} ${count === 1 ? 'role' : 'roles'}`, zh: `共 ${count} 个角色` };
}
