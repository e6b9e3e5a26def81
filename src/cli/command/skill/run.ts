// `run`: the agent does what was asked, with skills; the trace goes to stderr, the answer to stdout.

import { BUDGET_NAMES, type Budget, type BudgetName } from '../../../agent/budget.ts';
import { findRun } from '../../../app/find-run.ts';
import { tellRun } from '../../../app/library/agent-run.ts';
import { modelForms } from '../../../app/run/model-form.ts';
import type { RunOrder } from '../../../app/run/order.ts';
import { recordAnswers } from '../../../app/run/record-answers.ts';
import { resumeRequest } from '../../../app/run/resume.ts';
import { runRequest } from '../../../app/run/start.ts';
import { Fault } from '../../../base/errors.ts';
import { inLanguage, languageOfRequest, type Text } from '../../../base/language.ts';
import { type Outcome, tell } from '../../../base/outcome.ts';
import { visible, visibleLines } from '../../../base/text.ts';
import { VERSION } from '../../../base/version.ts';
import { PERSON, wasStopped } from '../../frame/ask-line.ts';
import { APPLY_OPTION } from '../../frame/change/apply-option.ts';
import { changeWishes } from '../../frame/change/wishes.ts';
import {
  type Command,
  type CommandContext,
  isForProgram,
  isOn,
  listOption,
  type Reply,
  textOption,
} from '../../frame/command.ts';
import { networkAskers, PRIVATE_OPTION, showStderr } from '../../frame/person.ts';
import { ASK_OPTION, askWish } from '../../frame/question/ask-option.ts';
import { askAboutBudget, promptPerson } from '../../frame/question/prompt-person.ts';
import { jsonText } from '../../frame/render.ts';
import { readSource, SOURCE } from '../../frame/skill-arguments.ts';
import { type StopSignals, stopOnSignal } from '../../frame/stop-on-signal.ts';
import { typedFrom } from '../../frame/typed-from.ts';
import { openAnswerStream } from '../../view/answer-stream.ts';
import { factsIn, showText } from '../../view/outcome-reply.ts';
import { eventsTo } from '../../view/run/run-events.ts';
import { openTrace } from '../../view/run-trace.ts';
import { askWithout, openWaiting } from '../../view/waiting.ts';

export const command: Command = {
  about: {
    en: 'The model decides step by step; every effect is checked, asked about where policy says so, run in the sandbox and recorded. `@name` in the request names a skill. Ctrl-C stops after what is under way, twice stops at once; --resume goes on.',
    zh: '模型逐步决策；每个操作都经过检查、按策略询问、在沙箱中运行并记录。请求中的 `@名称` 指定技能。Ctrl-C 在当前步骤后停止，两次立即停止；--resume 继续。',
  },
  positionals: [
    { name: 'request', many: true, summary: { en: 'what you want, in your own words', zh: '用自己的话描述需求' } },
  ],
  options: [
    {
      name: 'model',
      value: 'MODEL',
      summary: {
        en: `${modelForms('FILE', 'NAME').join(', ')}; else as the settings say`,
        zh: `${modelForms('文件', '名称').join('、')}；默认取自配置`,
      },
    },
    {
      name: 'skill',
      value: 'SKILL',
      many: true,
      summary: { en: 'name a skill for the request, like @SKILL in it', zh: '为请求指定技能，等同于其中的 @SKILL' },
    },
    SOURCE,
    {
      name: 'budget',
      value: 'NAME=N',
      many: true,
      summary: {
        en: `${BUDGET_NAMES.join(', ')}; or SKILL.NAME=N for the calls of one skill`,
        zh: `${BUDGET_NAMES.join('、')}；或 技能.名称=N 限制单个技能`,
      },
    },
    {
      name: 'resume',
      value: 'RUN',
      summary: { en: 'resume a run that was stopped, killed or waits', zh: '继续已停止、被终止或等待中的运行' },
    },
    {
      name: 'record',
      value: 'FILE',
      summary: {
        en: 'keep what the model answers, for --model recorded:FILE',
        zh: '保存模型回答，供 --model recorded:文件 使用',
      },
    },
    {
      name: 'stream',
      summary: {
        en: 'show the answer while it is written; on a terminal that is so',
        zh: '边生成边显示回答；终端上默认如此',
      },
    },
    {
      name: 'stream-json',
      summary: {
        en: 'every event as a line of JSON on stdout, the outcome in the last one; `skillwright schema run-event` has the format',
        zh: '在 stdout 逐行输出 JSON 事件，最后一行含结果；格式见 `skillwright schema run-event`',
      },
    },
    { name: 'quiet', short: 'q', summary: { en: 'no trace on stderr', zh: '不在 stderr 显示过程' } },
    APPLY_OPTION,
    ASK_OPTION,
    PRIVATE_OPTION,
  ],
  examples: [
    'skillwright run "convert README.md to HTML"',
    'skillwright run "@markdown-converter notes.md" --budget turns=6',
    'skillwright run --resume latest --model mock:case.json',
  ],
  languageOf: (positionals) => languageOfRequest(positionals.join(' ')),
  async run(context) {
    const { options, positionals, runtime } = context;
    const text = positionals.join(' ');
    const resume = textOption(options, 'resume');
    if ((text.trim() === '') === (resume === undefined)) throw usage();
    if (isForProgram(options) && isStreamed(options)) throw twoForms();
    const id = resume === undefined ? undefined : findRun(runtime.project, resume).id;
    using watched = watchRun(context);
    const { order } = watched;
    const outcome =
      id === undefined
        ? await runRequest(
            runtime,
            { text, skills: listOption(options, 'skill'), source: readSource(options), from: typedFrom(context) },
            order,
          )
        : await resumeRequest(runtime, id, order);
    return replyToRun(outcome, watched, context);
  },
};

/** A run with somebody in front of it. */
export interface WatchedRun extends Disposable {
  readonly order: RunOrder;
  /** The answer, as far as it stands on stdout already. */
  shown(): string;
  /** The person's Ctrl-C at a question, if that stopped the run. */
  stoppedBy(): Fault | undefined;
}

/** With a trace for whoever watches, and Ctrl-C in two steps. */
export function watchRun(context: CommandContext): WatchedRun {
  const { options, runtime, terminal } = context;
  const isForReader = !isForProgram(options) && !isStreamed(options);
  const isSilent = isOn(options, 'quiet') || !isForReader;
  const waiting = isSilent ? undefined : openWaiting(THINKING[runtime.language]);
  const trace = isSilent ? undefined : openTrace(process.stderr, { ...terminal, language: runtime.language });
  const streams = isForReader && (process.stdout.isTTY || isOn(options, 'stream'));
  const answer = streams ? openAnswerStream(process.stdout) : undefined;
  const record = textOption(options, 'record');
  const stopping = stopOnSignal(() => {
    waiting?.touch();
    trace?.note(STOPPING[runtime.language]);
  });
  const asking = untilStopped(stopping);
  const ask = asking.guard(askWithout(waiting, promptPerson(runtime.language, PERSON, terminal)));
  const goOn = asking.guard(askWithout(waiting, askAboutBudget(runtime.language, PERSON)));
  const order: RunOrder = {
    version: VERSION,
    language: runtime.language,
    model: textOption(options, 'model'),
    ...readBudgets(listOption(options, 'budget')),
    yes: isOn(options, 'yes'),
    ...askWish(context),
    private: isOn(options, 'private'),
    debug: isOn(options, 'debug'),
    ...((isOn(options, 'debug') || runtime.env.SKILL_DEBUG === '1') && { onStderr: showStderr }),
    stop: stopping.stop,
    abort: stopping.abort,
    ...(terminal.interactive && {
      ask,
      offersGrants: true,
      ...networkAskers(runtime.language, waiting, stopping.ask),
      goOn: (question) => goOn(question).catch(noIfStopped),
    }),
    ...changeWishes(context, (asked) => askWithout(waiting, asked)),
    ...(record !== undefined && { onAnswer: recordAnswers(record, textOption(options, 'resume') !== undefined) }),
    ...(isStreamed(options) && eventsTo(process.stdout)),
    ...((trace || answer) && {
      trace: (event) => {
        waiting?.touch(event.type === 'decided' ? event.action : THINKING[runtime.language]);
        answer?.show(event);
        trace?.show(event);
        // A clock would stand in the middle of the answer.
        if (event.type === 'thinking' && answer?.shown()) waiting?.pause();
      },
    }),
  };
  return {
    order,
    shown: () => answer?.shown() ?? '',
    stoppedBy: asking.stoppedBy,
    [Symbol.dispose]: () => {
      waiting?.[Symbol.dispose]();
      stopping.release();
    },
  };
}

function isStreamed(options: CommandContext['options']): boolean {
  return isOn(options, 'stream-json');
}

/** A terminal that is asking takes Ctrl-C for itself; it stops the run all the same. */
function untilStopped(stopping: Pick<StopSignals, 'ask'>) {
  let stoppedBy: Fault | undefined;
  const guard =
    <Question, Answer>(person: (question: Question) => Promise<Answer>) =>
    async (question: Question): Promise<Answer> => {
      try {
        return await person(question);
      } catch (error) {
        if (error instanceof Fault && wasStopped(error)) {
          stoppedBy = error;
          stopping.ask();
        }
        throw error;
      }
    };
  return { guard, stoppedBy: () => stoppedBy };
}

function noIfStopped(error: unknown): false {
  if (error instanceof Fault && wasStopped(error)) return false;
  throw error;
}

/** The answer alone on stdout; where the record lies, and how to go on, beside the trace. */
export function replyToRun(ended: Outcome, watched: WatchedRun, { options, runtime }: CommandContext): Reply {
  const fault = watched.stoppedBy();
  const outcome = fault ? tell(ended, { type: fault.type, code: fault.code, details: fault.details }) : ended;
  const { answer, record, resumeCommand = outcome.next } = outcome.run ?? {};
  const isDone = outcome.state === 'interrupted' && outcome.waitsFor === 'changes';
  const next = isDone ? outcome.next : resumeCommand;
  const say = (text: Text) => inLanguage(text, runtime.language);
  if (!isOn(options, 'quiet') && !isOn(options, 'json') && !isStreamed(options) && record !== undefined)
    process.stderr.write(`${say({ en: 'record', zh: '记录' })}: ${visible(record)}\n`);
  const common = { outcome, stopped: fault !== undefined };
  if (isStreamed(options)) return { ...common, document: jsonText({ type: 'ended', outcome: tellRun(outcome) }) };
  const hint = next === undefined ? {} : { hint: next };
  const facts = factsIn(outcome);
  if (answer === undefined) return { ...common, ...(facts && { human: showText(facts) }), ...hint };
  const isShown = watched.shown() === visibleLines(answer);
  if (outcome.state === 'success') return { ...common, document: isShown ? '' : visibleLines(answer) };
  const rest = withoutSaid(answer, outcome);
  return { ...common, ...(rest !== '' && !isShown && { human: visibleLines(rest) }), ...hint };
}

/** The answer without what stands in the summary and the hint already. */
function withoutSaid(answer: string, outcome: Outcome): string {
  const { summary, next } = outcome;
  if (answer.startsWith(summary)) return answer.slice(summary.length).trim();
  if (outcome.state !== 'error') return answer;
  const isSaid = (line: string) =>
    line === next || (line.includes(': ') && summary.endsWith(line.replace(/^.*: /, ': ')));
  return answer
    .split('\n')
    .filter((line) => !isSaid(line))
    .join('\n')
    .trim();
}

function readBudgets(written: readonly string[]): Pick<RunOrder, 'budget' | 'skillBudgets'> {
  const budget: Partial<Record<BudgetName, number>> = {};
  const skillBudgets: Record<string, Partial<Record<BudgetName, number>>> = {};
  for (const part of written.flatMap((one) => one.split(','))) {
    const [, skill, word = '', amount = ''] = /^(?:(.+)\.)?([a-z_]+)=(\d+(?:\.\d+)?)$/.exec(part.trim()) ?? [];
    const name = BUDGET_NAMES.find((known) => known === word);
    if (!name) throw badBudget(part);
    if (skill === undefined) budget[name] = Number(amount);
    else skillBudgets[skill] = { ...skillBudgets[skill], [name]: Number(amount) };
  }
  const said: { budget?: Partial<Budget> } = Object.keys(budget).length > 0 ? { budget } : {};
  return { ...said, skillBudgets };
}

const THINKING = { en: 'the model thinks', zh: '模型思考中' };

const STOPPING = {
  en: 'stopping after what is under way; Ctrl-C again stops at once',
  zh: '当前步骤完成后停止；再按一次 Ctrl-C 立即停止',
};

function usage(): Fault {
  return new Fault('Usage', {
    en: 'say what you want, or name a run with --resume',
    zh: '请写明需求，或用 --resume 指定运行',
  });
}

function twoForms(): Fault {
  return new Fault('Usage', {
    en: '--stream-json has the outcome in its last line; leave --json and --format out',
    zh: '--stream-json 的最后一行已含结果；请勿同时使用 --json 或 --format',
  });
}

function badBudget(part: string): Fault {
  const shown = visible(part);
  return new Fault('Usage', {
    en: `--budget ${shown}: expected ${BUDGET_NAMES.join('|')}=NUMBER`,
    zh: `--budget ${shown}: 应为 ${BUDGET_NAMES.join('|')}=数字`,
  });
}
