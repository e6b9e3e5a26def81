// `environments show`: one environment with its packages, where they come from and who uses it.
import { findEnvironment } from '../../../app/environment/stored.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { renderList } from '../../../base/text/terminal.ts';
import type { Command } from '../../frame/command.ts';
import { environmentFacts } from '../../view/environment/environment.ts';

export const command: Command = {
  positionals: [
    {
      name: 'environment',
      required: true,
      summary: { en: 'the beginning of its name', zh: '其名称的开头' },
    },
  ],
  options: [],
  examples: ['skillwright environments show 3f9c21'],
  async run({ positionals: [written = ''], runtime, terminal }) {
    const found = findEnvironment(written, runtime);
    const name = found.name.slice(0, 12);
    const summary = { en: `environment ${name}`, zh: `环境 ${name}` };
    const outcome = makeOutcome(runtime.answering('skillwright', 'own'), 'success', summary, { ...found });
    return { outcome, human: renderList(environmentFacts(found, runtime.language), terminal) };
  },
};
