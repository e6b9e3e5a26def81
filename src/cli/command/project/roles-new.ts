// `roles new`: a role with the skills that were asked for, or as a build analyst; it works as it stands.
import path from 'node:path';
import { createRole, type NewRole } from '../../../app/role/new.ts';
import type { Runtime } from '../../../app/runtime.ts';
import { Fault } from '../../../base/errors.ts';
import type { Text } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { type Command, isOn, listOption, type Reply } from '../../frame/command.ts';
import { askedLanguage, LANGUAGE_OPTION } from '../../frame/script-language.ts';
import { shortPath } from '../../view/diagnostic.ts';

export const command: Command = {
  about: {
    en: 'With --skill the role has those skills, as scripts to change; with --empty none. Without either it looks at builds and tests and writes a briefing every morning: the skill build_analysis, a schedule, and CLAUDE.md. A trusted folder stays trusted, since nothing but this was added.',
    zh: '使用 --skill 时角色含有所列技能（可修改的脚本）；使用 --empty 时没有技能。两者皆无时，该角色分析构建与测试，每天早晨写一份简报: 含技能 build_analysis、定时任务与 CLAUDE.md。已受信任的目录仍受信任，因为仅新增了这些文件。',
  },
  positionals: [
    {
      name: 'name',
      required: true,
      summary: { en: 'lower-case letters, digits, - and _', zh: '小写字母、数字、- 与 _' },
    },
  ],
  options: [
    {
      name: 'skill',
      value: 'NAME',
      many: true,
      summary: { en: 'a skill to begin with; can be given more than once', zh: '初始技能；可多次给出' },
    },
    { name: 'empty', summary: { en: 'no skill and no schedule', zh: '没有技能与定时任务' } },
    LANGUAGE_OPTION,
  ],
  examples: ['skillwright roles new dev_efficiency_analyst', 'skillwright roles new release_manager --skill changelog'],
  async run(context) {
    const { positionals, options, runtime } = context;
    const [name = ''] = positionals;
    const skills = listOption(options, 'skill');
    if (isOn(options, 'empty') && skills.length > 0) throw new Fault('Usage', EITHER);
    const isPlain = isOn(options, 'empty') || skills.length > 0;
    const wish = isPlain ? { skills, language: askedLanguage(context) ?? 'python' } : undefined;
    const created = createRole(name, wish, runtime);
    return isPlain ? answerPlain(name, skills, created, runtime) : answerAnalyst(name, created, runtime);
  },
};

const EITHER: Text = { en: 'either --skill or --empty', zh: '--skill 与 --empty 只能选其一' };

function answerPlain(name: string, [first]: readonly string[], created: NewRole, runtime: Runtime): Reply {
  const { folder, files, trusted } = created;
  const summary = { en: `created role: ${name}`, zh: `已创建角色: ${name}` };
  const command =
    first === undefined
      ? `skillwright roles add-skill ${name} NAME`
      : `skillwright call ${name}/${first} analyze text="one two" --yes`;
  return {
    outcome: makeOutcome(runtime.answering('skillwright', 'own'), 'success', summary, {
      role: name,
      path: folder,
      files,
      trusted,
    }),
    human: listFiles(created, runtime),
    hint: { en: `Go on with \`${command}\`.`, zh: `接下来: \`${command}\`。` }[runtime.language],
  };
}

function answerAnalyst(name: string, created: NewRole, runtime: Runtime): Reply {
  const { folder, files, timezone: zone, trusted } = created;
  const grant = `skillwright grants add ${name}/build_analysis --action daily_briefing`;
  const summary = {
    en: `created role: ${name}, with a briefing every day at 09:00 (${zone})`,
    zh: `已创建角色: ${name}，每天 09:00 出简报（${zone}）`,
  };
  const data = { role: name, path: folder, files, timezone: zone, trusted, grant_command: grant };
  return {
    outcome: makeOutcome(runtime.answering('skillwright', 'own'), 'success', summary, data),
    human: listFiles(created, runtime),
    hint: {
      en: `Grant its work with \`${grant}\`, then \`skillwright jobs run ${name}/daily_briefing\`.`,
      zh: `先授权: \`${grant}\`，再运行 \`skillwright jobs run ${name}/daily_briefing\`。`,
    }[runtime.language],
  };
}

function listFiles({ folder, files }: NewRole, { project }: Runtime): string {
  return files.map((file) => `  + ${shortPath(path.join(folder, file), project)}`).join('\n');
}
