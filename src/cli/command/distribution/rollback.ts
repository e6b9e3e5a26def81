// `rollback`: the version of a skill before the last change; called again, it leads back.

import { rollBack } from '../../../app/install/uninstall.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { typedWord } from '../../../base/text/shell-word.ts';
import { visible } from '../../../base/text.ts';
import type { Command } from '../../frame/command.ts';
import { readScope, SCOPE } from '../../frame/install-arguments.ts';

export const command: Command = {
  positionals: [
    { name: 'skill', required: true, skill: true, summary: { en: 'an installed skill', zh: '已安装的技能' } },
  ],
  options: [SCOPE],
  about: {
    en: 'The version that is replaced is kept in its place: a second rollback leads back to it, not further into the past.',
    zh: '被替换的版本会保留下来: 再次回退会回到它，而不是更早的版本。',
  },
  examples: ['skillwright rollback pdf'],
  async run({ positionals: [name = ''], options, runtime }) {
    const { from, to, scope } = rollBack(name, readScope(options), runtime);
    const [shown, before, after] = [to.name, from?.version ?? '?', to.locked?.version ?? '?'].map(visible);
    const data = {
      name: to.name,
      scope,
      from: from?.version ?? null,
      to: to.locked?.version ?? null,
      digest: to.locked?.digest ?? null,
    };
    const said = { en: `${shown}: back from ${before} to ${after}`, zh: `${shown}: 已从 ${before} 回退到 ${after}` };
    const hint = {
      en: `A second \`skillwright rollback ${typedWord(to.name)}\` leads forth to ${before} again.`,
      zh: `再次运行 \`skillwright rollback ${typedWord(to.name)}\` 会回到 ${before}。`,
    };
    return {
      outcome: makeOutcome(runtime.answering('skillwright', 'own'), 'success', said, data),
      hint: hint[runtime.language],
    };
  },
};
