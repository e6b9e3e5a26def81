// `runs changes`: what a run changed in its layer and is not in the project yet, with the diff.

import { withStoredChanges } from '../../../app/workspace/stored-layer.ts';
import { applyCommand, tellJudged } from '../../../app/workspace/tell.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { type Command, isOn } from '../../frame/command.ts';
import { RUN_POSITIONAL } from '../../frame/run-argument.ts';
import { listChanges, renderDiff } from '../../view/change-set.ts';

export const command: Command = {
  positionals: [RUN_POSITIONAL],
  options: [{ name: 'diff', summary: { en: 'also what changed in each text', zh: '包括各文本的差异' } }],
  examples: ['skillwright runs changes latest', 'skillwright runs changes latest --diff'],
  async run({ positionals: [written = ''], options, runtime, terminal }) {
    const { language, project } = runtime;
    return await withStoredChanges(written, runtime, async ({ run, set, judged, layer }) => {
      const diffs = isOn(options, 'diff')
        ? set.changes.flatMap((change) => renderDiff(change, project, layer, terminal) ?? [])
        : [];
      const data = { run, digest: set.digest, changes: judged.map((one) => tellJudged(one, language)) };
      const count = set.changes.length;
      const summary = { en: `${count} changes wait`, zh: `${count} 项更改等待应用` };
      return {
        outcome: makeOutcome(runtime.answering('skillwright', 'own'), 'success', summary, data),
        human: [...listChanges(judged, language, terminal), ...diffs].join('\n'),
        hint: applyCommand(run),
      };
    });
  },
};
