// `environments verify`: every byte of every environment against what was sealed when it was built.
import { verifyEnvironments } from '../../../app/environment/stored.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { counted } from '../../../base/text/counted.ts';
import { visible } from '../../../base/text.ts';
import type { Command } from '../../frame/command.ts';

export const command: Command = {
  positionals: [
    {
      name: 'environment',
      many: true,
      summary: { en: 'the beginning of a name; all of them unless given', zh: '名称的开头；不写则为全部' },
    },
  ],
  options: [],
  examples: ['skillwright environments verify', 'skillwright environments verify 3f9c21 --json'],
  async run({ positionals, runtime }) {
    const verified = verifyEnvironments(positionals, runtime);
    const bad = verified.filter(({ ok }) => !ok);
    const by = runtime.answering('skillwright', 'own');
    const data = { environments: verified };
    if (bad.length === 0) {
      const summary = {
        en: `${counted(verified.length, 'environment')} as they were built`,
        zh: `${verified.length} 个环境与构建时一致`,
      };
      return { outcome: makeOutcome(by, 'success', summary, data) };
    }
    const summary = {
      en: `${counted(bad.length, 'environment')} changed since they were built`,
      zh: `${bad.length} 个环境在构建后被更改`,
    };
    const human = bad
      .map(({ name, changed }) => `  ${name.slice(0, 12)}  ${changed.map(visible).join(', ')}`)
      .join('\n');
    const hint = {
      en: '`skillwright environments prune <environment>` removes it, and `skillwright prepare <skill>` builds it again.',
      zh: '`skillwright environments prune <环境>` 将其删除，`skillwright prepare <技能>` 重新构建。',
    }[runtime.language];
    return { outcome: makeOutcome(by, 'partial', summary, data), human, hint, exit: 1 };
  },
};
