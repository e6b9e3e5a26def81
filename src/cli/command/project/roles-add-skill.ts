// `roles add-skill`: one skill more for a role, as a script to change; it works as it stands.
import path from 'node:path';
import { addSkill } from '../../../app/role/add-skill.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import type { Command } from '../../frame/command.ts';
import { askedLanguage, LANGUAGE_OPTION } from '../../frame/script-language.ts';
import { shortPath } from '../../view/diagnostic.ts';

export const command: Command = {
  about: {
    en: 'Writes agents/<role>/.claude/skills/<name>.py with the kit beside it, and lists it in agent.yaml where that has a list. A trusted folder stays trusted. Grants of the other skills stay.',
    zh: '写入 agents/<角色>/.claude/skills/<名称>.py 及其工具包；agent.yaml 有 skills 列表时加入其中。已受信任的目录仍受信任。其他技能的授权保持不变。',
  },
  positionals: [
    { name: 'role', required: true, summary: { en: 'its folder below agents/', zh: 'agents/ 下的目录名' } },
    {
      name: 'name',
      required: true,
      summary: { en: 'lower-case letters, digits, - and _', zh: '小写字母、数字、- 与 _' },
    },
  ],
  options: [LANGUAGE_OPTION],
  examples: ['skillwright roles add-skill dev_efficiency_analyst long_running_task'],
  async run(context) {
    const { positionals, runtime } = context;
    const [role = '', name = ''] = positionals;
    const language = askedLanguage(context) ?? 'python';
    const { folder, files, trusted } = await addSkill(role, name, language, runtime);
    const summary = { en: `added skill: ${role}/${name}`, zh: `已添加技能: ${role}/${name}` };
    const data = { role, skill: `${role}/${name}`, language, path: folder, files, trusted };
    return {
      outcome: makeOutcome(runtime.answering('skillwright', 'own'), 'success', summary, data),
      human: files.map((file) => `  + ${shortPath(path.join(folder, file), runtime.project)}`).join('\n'),
      hint: {
        en: `Try it with \`skillwright call ${role}/${name} analyze text="one two" --yes\`.`,
        zh: `运行 \`skillwright call ${role}/${name} analyze text="one two" --yes\` 试用。`,
      }[runtime.language],
    };
  },
};
