// `runs apply`: what a run changed reaches the project, all of it or the paths that are named.
import type { Runtime } from '../../../app/runtime.ts';
import { type Applied, KEPT_SIDES } from '../../../app/workspace/apply.ts';
import { type AppliedRun, applyStored } from '../../../app/workspace/stored-layer.ts';
import { applyCommand, tellChange, tellJudged } from '../../../app/workspace/tell.ts';
import { tellCommits } from '../../../app/workspace/tell-commits.ts';
import type { Text } from '../../../base/language.ts';
import { interruptedOutcome, makeOutcome } from '../../../base/outcome.ts';
import type { Terminal } from '../../../base/text/terminal.ts';
import { PERSON } from '../../frame/ask-line.ts';
import { askAboutChanges, askAboutGuarded } from '../../frame/change/ask-changes.ts';
import { type Command, isOn, type Reply, textOption } from '../../frame/command.ts';
import { RUN_POSITIONAL } from '../../frame/run-argument.ts';
import { countChanges, listChanges } from '../../view/change-set.ts';
import { countCommits, listCommits } from '../../view/commits.ts';

export const command: Command = {
  about: {
    en: 'At a terminal you are shown the changes and asked: yes, choose file by file, or no; paths or --yes answer that. Where the project has changed since, nothing is applied and the files are named. What other tools execute or obey is asked about by itself; --yes does not answer that.',
    zh: '在终端中先展示更改并询问: 全部应用、逐个文件选择或暂不；写明路径或 --yes 即不再询问。项目若已更改，则不应用并列出文件。会被其他工具执行或遵循的文件单独询问，--yes 不作答。',
  },
  positionals: [
    RUN_POSITIONAL,
    { name: 'path', many: true, summary: { en: 'only these files and folders', zh: '仅这些文件与目录' } },
  ],
  options: [
    {
      name: 'keep',
      value: 'SIDE',
      choices: KEPT_SIDES,
      summary: {
        en: 'where the project has changed since: mine keeps its version, theirs takes the one of the run',
        zh: '项目此后有更改时: mine 保留项目中的版本，theirs 采用运行的版本',
      },
    },
  ],
  examples: [
    'skillwright runs apply latest',
    'skillwright runs apply latest src/report.md',
    'skillwright runs apply latest --keep mine',
  ],
  async run({ positionals: [written = '', ...only], options, runtime, terminal }) {
    const { language } = runtime;
    const keep = KEPT_SIDES.find((side) => side === textOption(options, 'keep'));
    const request = {
      from: process.cwd(),
      keep,
      ...(only.length > 0 && { only }),
      ...(terminal.interactive && {
        // Who has said --yes is asked only about what it does not answer.
        ...(!isOn(options, 'yes') && { ask: askAboutChanges(language, terminal, PERSON) }),
        askGuarded: askAboutGuarded(language, terminal, PERSON),
      }),
    };
    return reply(await applyStored(written, request, runtime), runtime, terminal);
  },
};

/** What needs a person, or cannot be applied at all, is told with the reason. */
function reply({ run, changes, left, made, commits }: AppliedRun, runtime: Runtime, terminal: Terminal): Reply {
  const { language } = runtime;
  const by = runtime.answering('skillwright', 'own');
  const files = { applied: changes.map(tellChange), left: left.map((one) => tellJudged(one, language)) };
  const data = { run, ...files, ...tellCommits(made, commits !== undefined) };
  const took = commits ? countCommits(commits.commits.length) : undefined;
  const also = took ? { en: ` and ${took.en}`, zh: `与 ${took.zh}` } : { en: '', zh: '' };
  const rest = left.length > 0 ? { en: `, ${left.length} left`, zh: `，剩余 ${left.length} 项` } : { en: '', zh: '' };
  const summary = {
    en: `applied ${countChanges(changes.length).en}${also.en}${rest.en}`,
    zh: `已应用 ${changes.length} 项更改${also.zh}${rest.zh}`,
  };
  const human = [...listCommits(made, language, terminal), ...listChanges(left, language, terminal)].join('\n');
  const shown = human === '' ? {} : { human };
  if (changes.length > 0 || commits)
    return { outcome: makeOutcome(by, 'success', summary, data), ...shown, hint: `skillwright runs undo ${run}` };
  const hint = whyNothing(run, left)[language];
  return { outcome: interruptedOutcome(by, summary, { waitsFor: 'changes', next: hint }, data), ...shown, hint };
}

/** What stands in the way of what is left. */
function whyNothing(run: string, left: Applied['left']): Text {
  if (left.some(({ verdict }) => verdict === 'plain')) return { en: applyCommand(run), zh: applyCommand(run) };
  return left.some(({ verdict }) => verdict === 'guarded') ? GUARDED : REFUSED;
}

const GUARDED: Text = {
  en: 'What other tools obey, or what holds a variable, is applied by a yes at a terminal only: run this command there.',
  zh: '会被其他工具遵循或包含变量值的文件只能在终端中确认后应用: 请在终端运行此命令。',
};
const REFUSED: Text = {
  en: 'None of this can be applied; `skillwright runs discard` throws it away.',
  zh: '这些都无法应用；`skillwright runs discard` 可丢弃。',
};
