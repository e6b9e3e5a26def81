// `runs prune`: throws old records away, by age or by number.

import { type PrunedRuns, pruneRecords } from '../../../app/record/prune.ts';
import type { Runtime } from '../../../app/runtime.ts';
import { Fault } from '../../../base/errors.ts';
import type { Text } from '../../../base/language.ts';
import { failedOutcome, interruptedOutcome, makeOutcome } from '../../../base/outcome.ts';
import { counted } from '../../../base/text/counted.ts';
import { readDuration } from '../../../base/text/duration.ts';
import { type Command, type CommandContext, isOn, type Reply, textOption } from '../../frame/command.ts';
import { commandLine } from '../../frame/command-line.ts';
import { readCount } from '../../view/count.ts';

export const command: Command = {
  about: {
    en: 'Without options the settings decide: retention.runs_days for whole runs, retention.observations_days for the texts they kept.',
    zh: '不带选项时按配置执行：retention.runs_days 决定整次运行，retention.observations_days 决定保留的文本。',
  },
  positionals: [],
  options: [
    {
      name: 'older-than',
      value: 'SPAN',
      summary: { en: 'remove runs older than this, such as 30d', zh: '删除早于此时长的运行，如 30d' },
    },
    {
      name: 'keep',
      value: 'N',
      summary: { en: 'keep the latest N; alone, remove all others', zh: '保留最近 N 次；单独使用时删除其余全部' },
    },
    { name: 'dry-run', summary: { en: 'only say what would be deleted', zh: '仅显示将删除的内容' } },
  ],
  examples: [
    'skillwright runs prune',
    'skillwright runs prune --older-than 30d --keep 20',
    'skillwright runs prune --keep 20 --dry-run',
  ],
  async run(context) {
    const { options, runtime, terminal } = context;
    const span = textOption(options, 'older-than');
    const number = textOption(options, 'keep');
    const pruned = await pruneRecords(
      {
        olderThanMs: span === undefined ? undefined : readDuration('older-than', span),
        keep: number === undefined ? undefined : readCount('keep', number),
        dryRun: isOn(options, 'dry-run'),
        yes: isOn(options, 'yes'),
        ask: terminal.interactive ? (count) => askPerson(count, runtime) : undefined,
      },
      runtime,
    );
    return reply(pruned, context);
  },
};

function questionAbout(count: number): Text {
  return { en: `remove ${counted(count, 'run')}?`, zh: `删除 ${count} 次运行？` };
}

async function askPerson(count: number, { language }: Runtime): Promise<boolean> {
  const { confirm } = await import('../../frame/confirm.ts');
  return await confirm(questionAbout(count), 'y', language);
}

function reply(pruned: PrunedRuns, context: CommandContext): Reply {
  switch (pruned.ended) {
    case 'undecided':
      return undecided(pruned, context);
    case 'refused': {
      const fault = new Fault('ApprovalDenied', { en: 'nothing was removed', zh: '未删除任何内容' });
      const by = context.runtime.answering('skillwright', 'own');
      return { outcome: failedOutcome(by, fault, { removed: [] }) };
    }
    case 'planned':
    case 'pruned':
      return settled(pruned, context.runtime);
  }
}

function undecided({ removed }: PrunedRuns, context: CommandContext): Reply {
  const question = questionAbout(removed.length);
  const again = commandLine('runs prune', command, context, ['--yes']);
  const data = { type: 'ApprovalRequired', code: 'APPROVAL_REQUIRED', would_remove: removed, resume_command: again };
  const summary = { en: `a decision is needed: ${question.en}`, zh: `需要批准: ${question.zh}` };
  const by = context.runtime.answering('skillwright', 'own');
  return { outcome: interruptedOutcome(by, summary, { waitsFor: 'approval', next: again }, data), hint: again };
}

function settled(pruned: PrunedRuns, runtime: Runtime): Reply {
  const { removed, emptied, vanished, kept } = pruned;
  const isTrial = pruned.ended === 'planned';
  const { en, zh } = summarize(pruned);
  const summary = isTrial ? { en: `would do: ${en}`, zh: `将会: ${zh}` } : { en, zh };
  return {
    outcome: makeOutcome(runtime.answering('skillwright', 'own'), 'success', summary, {
      removed,
      emptied,
      ...(vanished.length > 0 && { vanished }),
      kept,
      ...(isTrial && { dry_run: true }),
    }),
    human: [...removed.map((id) => `  ${id}`), ...vanished.map((id) => `  ${id} ${GONE[runtime.language]}`)].join('\n'),
  };
}

const GONE: Text = { en: '(its record was already removed)', zh: '（记录此前已被删除）' };

function summarize({ removed, emptied, vanished, kept }: PrunedRuns): Text {
  const gone = vanished.length;
  return {
    en: `${counted(removed.length, 'run')} removed, ${emptied.length} lost their texts, ${kept} stay${gone > 0 ? `, ${gone} had vanished` : ''}`,
    zh: `已删除 ${removed.length} 次运行，${emptied.length} 次的文本已清理，保留 ${kept} 次${gone > 0 ? `，${gone} 次此前已消失` : ''}`,
  };
}
