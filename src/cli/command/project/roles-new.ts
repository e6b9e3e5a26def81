// `roles new`: a role with a skill, a schedule and a text that guides it; it works as it stands.
import path from 'node:path';
import { createRole } from '../../../app/role/new.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import type { Command } from '../../frame/command.ts';
import { shortPath } from '../../view/diagnostic.ts';

export const command: Command = {
  about: {
    en: 'The role looks at builds and tests and writes a briefing every morning: a skill to change, a schedule, and CLAUDE.md. A trusted folder stays trusted, since nothing but this was added.',
    zh: '该角色分析构建与测试，每天早晨写一份简报: 含可修改的技能、定时任务与 CLAUDE.md。已受信任的目录仍受信任，因为仅新增了这些文件。',
  },
  positionals: [
    {
      name: 'name',
      required: true,
      summary: { en: 'lower-case letters, digits, - and _', zh: '小写字母、数字、- 与 _' },
    },
  ],
  options: [],
  examples: ['skillwright roles new dev_efficiency_analyst'],
  async run({ positionals: [name = ''], runtime }) {
    const { folder, files, timezone: zone, trusted } = createRole(name, runtime);
    const grant = `skillwright grants add ${name}/build_analysis --action daily_briefing`;
    const summary = {
      en: `created role: ${name}, with a briefing every day at 09:00 (${zone})`,
      zh: `已创建角色: ${name}，每天 09:00 出简报（${zone}）`,
    };
    const data = {
      role: name,
      path: folder,
      files,
      timezone: zone,
      trusted,
      grant_command: grant,
    };
    return {
      outcome: makeOutcome(runtime.answering('skillwright', 'own'), 'success', summary, data),
      human: files.map((file) => `  + ${shortPath(path.join(folder, file), runtime.project)}`).join('\n'),
      hint: {
        en: `Grant its work with \`${grant}\`, then \`skillwright jobs run ${name}/daily_briefing\`.`,
        zh: `先授权: \`${grant}\`，再运行 \`skillwright jobs run ${name}/daily_briefing\`。`,
      }[runtime.language],
    };
  },
};
