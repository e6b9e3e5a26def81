// `runs prune`: throws old records away, by age or by number.
import { findRuns } from '../../../app/find-run.ts';
import type { Runtime } from '../../../app/runtime.ts';
import { pruneRuns } from '../../../audit/run-archive.ts';
import { Fault } from '../../../base/errors.ts';
import type { Text } from '../../../base/language.ts';
import { failedOutcome, makeOutcome } from '../../../base/outcome.ts';
import { DAY_MS, readDuration } from '../../../base/text/duration.ts';
import {
  type Command,
  type CommandContext,
  isOn,
  type OptionValues,
  type Reply,
  textOption,
} from '../../frame/command.ts';
import { commandLine } from '../../frame/command-line.ts';
import { readCount } from '../../view/count.ts';

// Older than this is every run, also one that began this very second.
const EVERY_AGE = -DAY_MS;
// More than this at once, chosen on the command line, needs a yes.
const UNASKED = 5;

type Pruned = ReturnType<typeof pruneRuns>;

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
    { name: 'dry-run', summary: { en: 'only say what would go', zh: '仅显示将删除的内容' } },
  ],
  examples: [
    'skillwright runs prune',
    'skillwright runs prune --older-than 30d --keep 20',
    'skillwright runs prune --keep 20 --dry-run',
  ],
  async run(context) {
    const { options, runtime } = context;
    runtime.requireConfig();
    // Refuses a linked folder before anything is removed.
    const all = findRuns(runtime.project);
    const plan = readPlan(options, runtime);
    const planned = pruneRuns(runtime.project, runtime.home, { ...plan, isTrial: true });
    if (isOn(options, 'dry-run')) return reply(planned, all.length - planned.removed.length, runtime, true);
    const refused = await askIfMany(planned, context);
    if (refused) return refused;
    const done = pruneRuns(runtime.project, runtime.home, plan);
    return reply(done, findRuns(runtime.project).length, runtime, false);
  },
};

/** What the settings remove was decided once; what an option removes is asked about, when it is much. */
async function askIfMany({ removed }: Pruned, context: CommandContext): Promise<Reply | undefined> {
  const { options, runtime, terminal } = context;
  const isChosen = options.keep !== undefined || options['older-than'] !== undefined;
  if (!isChosen || removed.length <= UNASKED || isOn(options, 'yes')) return undefined;
  const by = runtime.answering('skillwright', 'own');
  const question: Text = { en: `remove ${removed.length} runs?`, zh: `删除 ${removed.length} 次运行？` };
  if (terminal.interactive) {
    const { confirm } = await import('../../frame/confirm.ts');
    const how = runtime.language === 'zh' ? '输入 y 以继续' : 'type y to go on';
    if (await confirm(`${question[runtime.language]} (${how}): `, 'y')) return undefined;
    const fault = new Fault('ApprovalDenied', { en: 'nothing was removed', zh: '未删除任何内容' });
    return { outcome: failedOutcome(by, fault, { removed: [] }) };
  }
  const again = commandLine('runs prune', command, context, ['--yes']);
  const data = { type: 'ApprovalRequired', code: 'APPROVAL_REQUIRED', would_remove: removed, resume_command: again };
  const summary = { en: `a decision is needed: ${question.en}`, zh: `需要批准: ${question.zh}` };
  return { outcome: makeOutcome(by, 'interrupted', summary, data), hint: again };
}

function reply({ removed, emptied, vanished }: Pruned, kept: number, runtime: Runtime, isTrial: boolean): Reply {
  const { en, zh } = summarize({ removed, emptied, vanished }, kept);
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

function readPlan(options: OptionValues, { clock, config }: Runtime) {
  const { runsDays, observationsDays } = config.retention;
  const span = textOption(options, 'older-than');
  const number = textOption(options, 'keep');
  const keep = number === undefined ? 0 : readCount('keep', number);
  const byNumber = number === undefined ? runsDays * DAY_MS : EVERY_AGE;
  const runsMs = span === undefined ? byNumber : readDuration('older-than', span);
  return { now: clock.now(), runsMs, observationsMs: observationsDays * DAY_MS, keep };
}

const GONE: Text = { en: '(somebody had removed its record)', zh: '（记录此前已被删除）' };

function summarize({ removed, emptied, vanished }: Pruned, kept: number): Text {
  const gone = vanished.length;
  return {
    en: `${removed.length} runs removed, ${emptied.length} lost their texts, ${kept} stay${gone > 0 ? `, ${gone} had vanished` : ''}`,
    zh: `已删除 ${removed.length} 次运行，${emptied.length} 次的文本已清理，保留 ${kept} 次${gone > 0 ? `，${gone} 次此前已消失` : ''}`,
  };
}
