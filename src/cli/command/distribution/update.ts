// `update`: newer versions of installed skills from where they came; what would change is shown before it does.
import { updateSkills } from '../../../app/install/update.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import type { Command, CommandContext, Reply } from '../../frame/command.ts';
import { commandLine } from '../../frame/command-line.ts';
import { DIGEST, readInstallOrder, SCOPE } from '../../frame/install-arguments.ts';
import { replyToInstall } from '../../view/install-result.ts';

export const command: Command = {
  positionals: [
    {
      name: 'skill',
      many: true,
      skill: true,
      summary: { en: 'these skills; all installed ones unless given', zh: '指定技能；默认全部已安装技能' },
    },
  ],
  options: [
    SCOPE,
    { name: 'force', summary: { en: 'replace what was changed by hand', zh: '替换手工修改的内容' } },
    { name: 'replace', summary: { en: 'accept another publisher', zh: '允许发布者改变' } },
    { name: 'allow-downgrade', summary: { en: 'accept an older version', zh: '允许降级' } },
    DIGEST,
    { name: 'backup', summary: { en: 'keep the old versions until you delete them', zh: '永久保留旧版本' } },
    { name: 'dry-run', summary: { en: 'show what would change', zh: '仅显示变化' } },
  ],
  examples: ['skillwright update --dry-run', 'skillwright update pdf --yes'],
  async run(context) {
    const result = await updateSkills(context.positionals, readInstallOrder(context), context.runtime);
    if (result.items.length === 0) return nothing(context);
    return replyToInstall(result, commandLine('update', command, context), context);
  },
};

function nothing({ runtime }: CommandContext): Reply {
  const said = { en: 'nothing is installed here', zh: '此处没有已安装的技能' };
  const data = { installed: [], unchanged: [], findings: [] };
  return { outcome: makeOutcome(runtime.answering('skillwright', 'own'), 'success', said, data) };
}
