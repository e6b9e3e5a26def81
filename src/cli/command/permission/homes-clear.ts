// `homes clear`: removes what a skill has kept between runs; its consent stays.
import { clearHomes } from '../../../app/grant/homes.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { visible } from '../../../base/text.ts';
import type { Command } from '../../frame/command.ts';

export const command: Command = {
  positionals: [
    { name: 'skill', required: true, summary: { en: 'as `homes list` shows it', zh: '`homes list` 所示的技能' } },
  ],
  options: [],
  examples: ['skillwright homes clear weather'],
  async run({ positionals: [written = ''], runtime }) {
    const cleared = clearHomes(written, runtime);
    const names = visible(cleared.map(({ skill }) => skill).join(', '));
    return {
      outcome: makeOutcome(
        runtime.answering('skillwright', 'own'),
        'success',
        { en: `cleared the home of ${names}`, zh: `已清空 ${names} 的主目录` },
        { cleared: cleared.map(({ id }) => id) },
      ),
    };
  },
};
