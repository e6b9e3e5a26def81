// `roles new`: a role with the skills that were asked for, or from a template; it works as it stands.
import path from 'node:path';
import { createRole, type NewRole, ROLE_TEMPLATES, type RoleWish } from '../../../app/role/new.ts';
import type { Runtime } from '../../../app/runtime.ts';
import { Fault } from '../../../base/errors.ts';
import type { Text } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { type Command, type CommandContext, isOn, listOption, type Reply, textOption } from '../../frame/command.ts';
import { askedLanguage, LANGUAGE_OPTION } from '../../frame/script-language.ts';
import { shortPath } from '../../view/diagnostic.ts';

export const command: Command = {
  about: {
    en: 'The role has the skills of --skill, as scripts to change; without it one small skill, text_analysis; with --empty none. The template dev_efficiency_analyst looks at builds and tests and writes a briefing every morning: the skill build_analysis, a schedule, and CLAUDE.md; a role of that name is written from it. A trusted folder stays trusted, since nothing but this was added.',
    zh: '角色含有 --skill 所列技能（可修改的脚本）；未给出时含一个小技能 text_analysis；使用 --empty 时没有技能。模板 dev_efficiency_analyst 分析构建与测试，每天早晨写一份简报: 含技能 build_analysis、定时任务与 CLAUDE.md；以此为名的角色按该模板创建。已受信任的目录仍受信任，因为仅新增了这些文件。',
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
    {
      name: 'template',
      value: 'TEMPLATE',
      choices: ROLE_TEMPLATES,
      summary: { en: 'a whole role with skills and schedule', zh: '完整的角色，含技能与定时任务' },
    },
    { name: 'empty', summary: { en: 'no skill and no schedule', zh: '没有技能与定时任务' } },
    LANGUAGE_OPTION,
  ],
  examples: [
    'skillwright roles new release_manager --skill changelog',
    'skillwright roles new dev_efficiency_analyst',
    'skillwright roles new build_watcher --template dev_efficiency_analyst',
  ],
  async run(context) {
    const { positionals, runtime } = context;
    const [name = ''] = positionals;
    const wish = readWish(context);
    const created = createRole(name, wish, runtime);
    return 'skills' in wish ? answerPlain(name, wish.skills, created, runtime) : answerAnalyst(name, created, runtime);
  },
};

const FIRST_SKILL = 'text_analysis';
const EITHER: Text = {
  en: 'either --skill, --empty or --template',
  zh: '--skill、--empty 与 --template 只能选其一',
};

function readWish(context: CommandContext): RoleWish {
  const { positionals, options } = context;
  const skills = listOption(options, 'skill');
  const asked = textOption(options, 'template');
  const empty = isOn(options, 'empty');
  const ways = [skills.length > 0, empty, asked !== undefined].filter(Boolean).length;
  if (ways > 1) throw new Fault('Usage', EITHER);
  const template = ROLE_TEMPLATES.find((one) => one === (ways === 0 ? positionals[0] : asked));
  if (template) return { template };
  return { skills: ways === 0 ? [FIRST_SKILL] : skills, language: askedLanguage(context) ?? 'python' };
}

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
