// `runs discard`: throws away what a run changed in its layer.
import { discardChanges } from '../../../app/workspace/stored-layer.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import type { Command } from '../../frame/command.ts';
import { RUN_POSITIONAL } from '../../frame/run-argument.ts';

export const command: Command = {
  positionals: [RUN_POSITIONAL],
  options: [],
  examples: ['skillwright runs discard latest'],
  async run({ positionals: [written = ''], runtime }) {
    const done = discardChanges(written, runtime);
    const summary = done.discarded
      ? { en: `the changes of ${done.run} are gone`, zh: `已丢弃 ${done.run} 的更改` }
      : { en: `${done.run} has no changes that wait`, zh: `${done.run} 没有等待的更改` };
    return { outcome: makeOutcome(runtime.answering('skillwright', 'own'), 'success', summary, done) };
  },
};
