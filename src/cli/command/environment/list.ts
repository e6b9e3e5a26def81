// `environments list`: the environments built on this machine, and which skills of the project use them.
import { listEnvironments } from '../../../app/environment/stored.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { counted } from '../../../base/text/counted.ts';
import type { Command } from '../../frame/command.ts';
import { renderEnvironments } from '../../view/environment/environment.ts';

export const command: Command = {
  positionals: [],
  options: [],
  examples: ['skillwright environments list', 'skillwright environments list --json'],
  async run({ runtime, terminal }) {
    const environments = listEnvironments(runtime);
    const summary = { en: counted(environments.length, 'environment'), zh: `共 ${environments.length} 个环境` };
    const outcome = makeOutcome(runtime.answering('skillwright', 'own'), 'success', summary, { environments });
    if (environments.length === 0) return { outcome };
    return { outcome, human: renderEnvironments(environments, runtime.language, terminal) };
  },
};
