// `jobs run`: one action of a skill, or what a schedule does, now; it stands in the history like any other job.
import { type JobWish, runJobNow } from '../../../app/job/run-now.ts';
import { Fault } from '../../../base/errors.ts';
import { inLanguage, type Text } from '../../../base/language.ts';
import { type Command, type CommandContext, isOn, textOption } from '../../frame/command.ts';
import { readLabels } from '../../frame/label.ts';
import { readCount } from '../../view/count.ts';
import { outcomeBody } from '../../view/outcome-body.ts';
import { replyWith } from '../../view/outcome-reply.ts';
import { readParams } from '../skill/call.ts';

export const command: Command = {
  about: {
    en: 'Nobody is asked: it runs on a grant, or waits until `resume` decides. Everything is checked before anything is queued. With the name of a schedule alone, what that schedule does.',
    zh: '不会询问: 凭授权运行，否则等待 `resume` 决定。入队之前先检查一切。只写定时任务名称时，立即执行该任务的内容。',
  },
  positionals: [
    {
      name: 'target',
      required: true,
      summary: {
        en: 'a skill or role/skill with an action, or a schedule',
        zh: '技能 或 角色/技能 加操作，或定时任务',
      },
    },
    { name: 'action', summary: { en: 'the action of the skill', zh: '技能的操作' } },
    { name: 'params', many: true, summary: { en: 'key=value', zh: '名称=值' } },
  ],
  options: [
    { name: 'params', value: 'JSON', summary: { en: 'parameters as one JSON object', zh: '以一个 JSON 对象给出参数' } },
    { name: 'timeout', value: 'SECONDS', summary: { en: 'less time than the skill has', zh: '缩短技能的时限' } },
    {
      name: 'retry',
      value: 'N',
      summary: { en: 'retries after a failure; 0 unless given', zh: '失败后重试次数；默认 0' },
    },
    {
      name: 'key',
      value: 'KEY',
      summary: { en: 'idempotency key: the same key is the same job', zh: '相同键即同一任务' },
    },
    {
      name: 'label',
      value: 'LABEL',
      many: true,
      summary: {
        en: 'only a worker with this label runs it; may be repeated',
        zh: '只由具有此标签的执行者运行；可重复',
      },
    },
    { name: 'pin', summary: { en: 'only with the files as they are now', zh: '仅使用当前的文件' } },
    { name: 'detach', summary: { en: 'only queue it; `start` runs it', zh: '仅入队，由 `start` 执行' } },
    { name: 'model', value: 'MODEL', summary: { en: 'as with `run`, for a prompt', zh: '同 `run`，用于提示词任务' } },
  ],
  examples: [
    'skillwright jobs run dev_efficiency_analyst/build_analysis daily_briefing',
    'skillwright jobs run dev_efficiency_analyst/build_analysis analyze days=7 --json',
    'skillwright jobs run dev_efficiency_analyst/daily_briefing --detach',
    'skillwright jobs run csv-insights analyze target=data.csv',
    'skillwright jobs run dev_efficiency_analyst/build_analysis analyze --label gpu --pin --detach',
  ],
  async run(context) {
    const { outcome, queued } = await runJobNow(readWish(context), untilSignal, context.runtime);
    const reply = replyWith(outcome, outcomeBody(outcome));
    return queued === undefined ? reply : { ...reply, hint: inLanguage(whatNow(queued), context.runtime.language) };
  },
};

function whatNow(id: string): Text {
  return {
    en: `\`skillwright start\` runs it; \`skillwright jobs show ${id}\` says what became of it.`,
    zh: `由 \`skillwright start\` 执行；\`skillwright jobs show ${id}\` 查看结果。`,
  };
}

function readWish(context: CommandContext): JobWish {
  const { positionals, options } = context;
  const words = withAction(positionals);
  const [target = '', action = ''] = words;
  return {
    request: positionals.join(' '),
    target,
    action: action === '' ? undefined : action,
    params: readParams({ ...context, positionals: words }),
    retries: readCount('retry', textOption(options, 'retry') ?? '0'),
    timeoutMs: readTimeout(textOption(options, 'timeout')),
    labels: readLabels(options),
    key: textOption(options, 'key'),
    pin: isOn(options, 'pin'),
    detach: isOn(options, 'detach'),
    yes: isOn(options, 'yes'),
    model: textOption(options, 'model'),
  };
}

/** A command skill has no actions: its parameters follow its name. */
function withAction([target = '', action = '', ...rest]: readonly string[]): readonly string[] {
  return action.includes('=') ? [target, '', action, ...rest] : [target, action, ...rest];
}

function readTimeout(seconds: string | undefined): number | undefined {
  const timeoutMs = seconds === undefined ? undefined : readCount('timeout', seconds) * 1000;
  if (timeoutMs === 0) throw new Fault('Usage', { en: '--timeout must be more than 0', zh: '--timeout 须大于 0' });
  return timeoutMs;
}

/** The first signal asks it to stop; a second one ends this process. */
async function untilSignal<T>(work: (stop: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const abort = () => stop.abort();
  process.once('SIGINT', abort).once('SIGTERM', abort);
  try {
    return await work(stop.signal);
  } finally {
    process.removeListener('SIGINT', abort).removeListener('SIGTERM', abort);
  }
}
