// `runs changes`: what a run changed in its layer and is not in the project yet, with the diff.
import { withStoredChanges } from '../../../app/workspace/stored-layer.ts';
import { applyCommand, tellJudged } from '../../../app/workspace/tell.ts';
import { tellCommits } from '../../../app/workspace/tell-commits.ts';
import type { Text } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { type Command, isOn } from '../../frame/command.ts';
import { RUN_POSITIONAL } from '../../frame/run-argument.ts';
import { renderDiffs } from '../../view/change/diff.ts';
import { countChanges, listChanges } from '../../view/change-set.ts';
import { countCommits, listCommits } from '../../view/commits.ts';

export const command: Command = {
  positionals: [RUN_POSITIONAL],
  options: [{ name: 'diff', summary: { en: 'also what changed in each text', zh: '包括各文本的差异' } }],
  examples: ['skillwright runs changes latest', 'skillwright runs changes latest --diff'],
  async run({ positionals: [written = ''], options, runtime, terminal }) {
    const { language, project } = runtime;
    return await withStoredChanges(written, runtime, async ({ run, set, judged, commits, layer }) => {
      const shown = judged.map(({ change }) => change);
      const diffs = isOn(options, 'diff') ? renderDiffs(shown, { project, layer, language, terminal }) : [];
      const cut = layer.wasCutOff && { cut_off: true };
      const told = { changes: judged.map((one) => tellJudged(one, language)), ...tellCommits(commits) };
      const data = { run, digest: set.digest, ...told, ...cut };
      const made = commits?.state === 'made' ? commits.commits.length : 0;
      const count = countAll(judged.length, made);
      const verb = judged.length + made === 1 ? 'waits' : 'wait';
      const half = layer.wasCutOff ? CUT_OFF : { en: '', zh: '' };
      const summary = { en: `${count.en} ${verb}${half.en}`, zh: `${count.zh}等待应用${half.zh}` };
      return {
        outcome: makeOutcome(runtime.answering('skillwright', 'own'), 'success', summary, data),
        human: [...listCommits(commits, language, terminal), ...listChanges(judged, language, terminal), ...diffs].join(
          '\n',
        ),
        hint: applyCommand(run),
      };
    });
  },
};

function countAll(changes: number, commits: number): Text {
  const [files, made] = [countChanges(changes), countCommits(commits)];
  if (commits === 0) return files;
  return changes === 0 ? made : { en: `${files.en} and ${made.en}`, zh: `${files.zh}与 ${made.zh}` };
}

const CUT_OFF: Text = {
  en: '; the call was cut off, and may have left half of its work',
  zh: '；调用被中断，可能只完成了一部分',
};
