// `roles inspect`: one role with its skills, its texts and what is wrong with it.

import { inspectRole } from '../../../app/role/inspect.ts';
import { speak } from '../../../base/diagnostic.ts';
import type { Language, Text } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { renderList, type Terminal } from '../../../base/text/terminal.ts';
import { visible } from '../../../base/text.ts';
import type { Role } from '../../../registry/role/role.ts';
import type { RoleSkill } from '../../../registry/role/skill.ts';
import type { Command } from '../../frame/command.ts';
import { renderDiagnostics } from '../../view/diagnostic.ts';
import { showText } from '../../view/outcome-reply.ts';

const SKILL_SECONDS = 300;

export const command: Command = {
  positionals: [
    { name: 'role', required: true, summary: { en: 'its folder below agents/', zh: 'agents/ 下的目录名' } },
  ],
  options: [],
  examples: ['skillwright roles inspect analyst'],
  async run({ positionals: [name = ''], runtime, terminal }) {
    const { role, instructions, readme } = await inspectRole(name, runtime);
    const diagnostics = speak(role.diagnostics, runtime.language);
    const outcome = makeOutcome(runtime.answering('skillwright', 'own'), 'success', visible(role.name), {
      role: { name: role.name, description: role.description ?? null, path: role.file, usable: role.usable },
      skills: role.skills.map(describe),
      schedule: role.schedule,
      secrets: role.secrets,
      allowed_tools: role.allowedTools ?? null,
      max_turns: role.maxTurns ?? null,
      instructions: instructions ?? null,
      readme: readme ?? null,
      diagnostics,
    });
    const parts = [
      renderFacts(role, runtime.language, terminal),
      renderDiagnostics(diagnostics, runtime.project, terminal),
      ...[instructions, readme].map((text) => (text ? `\n${showText(text)}` : '')),
    ];
    return { outcome, human: parts.filter((part) => part !== '').join('\n') };
  },
};

function describe({ name, entry, kind, manifest }: RoleSkill) {
  const { description, timeout = SKILL_SECONDS, network, deterministic, secrets = [], actions = [] } = manifest;
  const named = actions.map((action) => action.name);
  return { name, kind, entry, description, timeout, network, deterministic, secrets, actions: named };
}

const LABELS = {
  description: { en: 'description', zh: '描述' },
  schedules: { en: 'schedules', zh: '定时任务' },
  secrets: { en: 'secrets', zh: '密钥' },
} as const satisfies Record<string, Text>;

function renderFacts({ description, skills, schedule, secrets }: Role, language: Language, terminal: Terminal): string {
  const facts: [string, string][] = [
    [LABELS.description[language], description ?? ''],
    ...skills.map(({ name, entry, manifest: { timeout = SKILL_SECONDS, description: does } }): [string, string] => [
      visible(name),
      `${entry} (${timeout} s) ${does}`.trimEnd(),
    ]),
    [LABELS.schedules[language], String(schedule.length)],
    [LABELS.secrets[language], secrets.join(', ')],
  ];
  const said = facts
    .filter(([, value]) => value !== '')
    .map(([name, value]): [string, string] => [name, visible(value)]);
  return renderList(said, terminal);
}
