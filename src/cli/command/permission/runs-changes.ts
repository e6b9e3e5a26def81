// `runs changes`: what a run changed in its layer and is not in the project yet, with the diff.
import { withStoredChanges } from '../../../app/workspace/stored-layer.ts';
import { applyCommand, tellJudged } from '../../../app/workspace/tell.ts';
import type { Text } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { type Command, isOn } from '../../frame/command.ts';
import { RUN_POSITIONAL } from '../../frame/run-argument.ts';
import { renderDiffs } from '../../view/change/diff.ts';
import { countChanges, listChanges } from '../../view/change-set.ts';

export const command: Command = {
  positionals: [RUN_POSITIONAL],
  options: [{ name: 'diff', summary: { en: 'also what changed in each text', zh: '包括各文本的差异' } }],
  examples: ['skillwright runs changes latest', 'skillwright runs changes latest --diff'],
  async run({ positionals: [written = ''], options, runtime, terminal }) {
    const { language, project } = runtime;
    return await withStoredChanges(written, runtime, async ({ run, set, judged, layer }) => {
      const diffs = isOn(options, 'diff') ? renderDiffs(set.changes, { project, layer, language, terminal }) : [];
      const cut = layer.wasCutOff && { cut_off: true };
      const data = { run, digest: set.digest, changes: judged.map((one) => tellJudged(one, language)), ...cut };
      const count = countChanges(set.changes.length);
      const verb = set.changes.length === 1 ? 'waits' : 'wait';
      const half = layer.wasCutOff ? CUT_OFF : { en: '', zh: '' };
      const summary = { en: `${count.en} ${verb}${half.en}`, zh: `${count.zh}等待应用${half.zh}` };
      return {
        outcome: makeOutcome(runtime.answering('skillwright', 'own'), 'success', summary, data),
        human: [...listChanges(judged, language, terminal), ...diffs].join('\n'),
        hint: applyCommand(run),
      };
    });
  },
};

const CUT_OFF: Text = {
  en: '; the call was cut off, and may have left half of its work',
  zh: '；调用被中断，可能只完成了一部分',
};
