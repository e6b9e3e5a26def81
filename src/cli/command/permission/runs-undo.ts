// `runs undo`: takes back what was applied of a run.
import { tellChange } from '../../../app/workspace/tell.ts';
import { type Undone, undoRun } from '../../../app/workspace/undo.ts';
import type { Text } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { visible } from '../../../base/text.ts';
import type { Command } from '../../frame/command.ts';
import { RUN_POSITIONAL } from '../../frame/run-argument.ts';
import { countChanges } from '../../view/change-set.ts';

export const command: Command = {
  about: {
    en: 'The last apply is taken back: every byte, mode and link is as it was before it. Where somebody has changed one of the files since, nothing is undone and the files are named.',
    zh: '撤销最近一次应用: 每个字节、权限与链接都恢复到应用之前。若其中文件此后又有更改，则不撤销并列出文件。',
  },
  positionals: [RUN_POSITIONAL],
  options: [],
  examples: ['skillwright runs undo latest'],
  async run({ positionals: [written = ''], runtime }) {
    const { run, changes, branches, earlier } = undoRun(written, runtime);
    const summary = summarize(changes.length, branches);
    const data = { run, undone: changes.map(tellChange), branches, earlier };
    const outcome = makeOutcome(runtime.answering('skillwright', 'own'), 'success', summary, data);
    // What was applied before it is taken back the same way.
    return { outcome, ...(earlier > 0 && { hint: `skillwright runs undo ${run}` }) };
  },
};

/** Commits are told by their branches: gone, or left because somebody works on them. */
function summarize(changes: number, { removed, left }: Undone['branches']): Text {
  const count = countChanges(changes);
  const names = (branches: readonly string[]) => branches.map(visible).join(', ');
  const gone = removed.length > 0 ? { en: `, removed ${names(removed)}`, zh: `，已删除 ${names(removed)}` } : NOTHING;
  const used = left.length > 0 ? { en: `, left ${names(left)}`, zh: `，保留 ${names(left)}` } : NOTHING;
  return { en: `took back ${count.en}${gone.en}${used.en}`, zh: `已撤销 ${count.zh}${gone.zh}${used.zh}` };
}

const NOTHING: Text = { en: '', zh: '' };
