// `jobs show`: one job with everything the queue knows of it, each attempt, and its whole outcome.
import { type AttemptOutput, type JobAttempt, outputsOf, type ShownJob, showJob } from '../../../app/job/look.ts';
import {
  describeJob,
  environmentsOf,
  JOB_STATES,
  paramsOf,
  readResult,
  sayReason,
  time,
} from '../../../app/view/jobs.ts';
import { flatten } from '../../../base/flat-outcome.ts';
import type { Language, Text } from '../../../base/language.ts';
import { makeOutcome, type Outcome } from '../../../base/outcome.ts';
import { renderList, type Terminal } from '../../../base/text/terminal.ts';
import { visible } from '../../../base/text.ts';
import type { Job } from '../../../store/queue.ts';
import { type Command, isOn } from '../../frame/command.ts';
import { outcomeBody } from '../../view/outcome-body.ts';
import { showText } from '../../view/outcome-reply.ts';
import { JOB } from './change.ts';

export const command: Command = {
  positionals: [JOB],
  options: [
    {
      name: 'output',
      summary: {
        en: 'also what each attempt printed, on stdout and stderr',
        zh: '包括每次尝试在标准输出与标准错误上的内容',
      },
    },
  ],
  examples: [
    'skillwright jobs show latest',
    'skillwright jobs show latest --output',
    'skillwright jobs show latest --json',
  ],
  async run({ positionals: [id = ''], options, runtime, terminal }) {
    const shown = await showJob(id, runtime);
    const { job } = shown;
    const { language } = runtime;
    const result = readResult(job);
    const outputs = isOn(options, 'output') ? outputsOf(shown, runtime) : undefined;
    const summary = { en: nameWithState(job, 'en'), zh: nameWithState(job, 'zh') };
    const data = { job: describe(shown, result, language), ...(outputs && { output: outputs }) };
    const parts = [
      renderList(factsOf(shown, result, language), terminal),
      renderAttempts(shown.attempts, language, terminal),
      result && (outcomeBody(result) ?? errorText(result)),
      outputs && renderOutputs(outputs, language),
    ];
    return {
      outcome: makeOutcome(runtime.answering('jobs', 'own'), 'success', summary, data),
      human: parts.filter((part) => part !== undefined && part !== '').join('\n\n'),
      ...(job.state === 'waiting' && { hint: DECIDE[language] }),
    };
  },
};

const DECIDE: Text = {
  en: '`skillwright interrupts` shows its question, and the command that answers it.',
  zh: '`skillwright interrupts` 显示它的问题及作答的命令。',
};

function describe({ job, attempts, blocked }: ShownJob, result: Outcome | undefined, language: Language) {
  return {
    ...describeJob(job),
    params: paramsOf(job) ?? null,
    progress: job.progress ?? null,
    tries: attempts.map(describeAttempt),
    outcome: result ? flatten(result) : null,
    worker: job.worker ?? null,
    digest: job.digest ?? null,
    environments: environmentsOf(job),
    labels: job.labels ?? [],
    blocked: blocked?.[language] ?? null,
  };
}

function describeAttempt({ attempt, startedAt, endedAt, how, worker, reason, run }: JobAttempt) {
  const ends = { ended: time(endedAt), how: how ?? 'running', reason: reason ?? null };
  return { attempt, started: time(startedAt), ...ends, worker: worker ?? null, run: run ?? null };
}

function nameWithState({ target, state }: Job, language: Language): string {
  return visible(`${target}: ${JOB_STATES[state][language]}`);
}

const LABELS = {
  id: { en: 'id', zh: '任务' },
  state: { en: 'state', zh: '状态' },
  progress: { en: 'progress', zh: '进度' },
  reason: { en: 'reason', zh: '原因' },
  blocked: { en: 'not begun', zh: '未开始' },
  labels: { en: 'labels', zh: '标签' },
  digest: { en: 'pinned to', zh: '固定到' },
  environments: { en: 'packages', zh: '软件包' },
  target: { en: 'does', zh: '内容' },
  params: { en: 'parameters', zh: '参数' },
  schedule: { en: 'schedule', zh: '定时任务' },
  occurrence: { en: 'planned for', zh: '计划时间' },
  created: { en: 'queued', zh: '入队' },
  due: { en: 'not before', zh: '不早于' },
  started: { en: 'started', zh: '开始' },
  ended: { en: 'ended', zh: '结束' },
  attempts: { en: 'tries', zh: '次数' },
  priority: { en: 'priority', zh: '优先级' },
  worker: { en: 'worker', zh: '执行者' },
  run: { en: 'record', zh: '运行记录' },
  outcome: { en: 'outcome', zh: '结果' },
} as const satisfies Record<string, Text>;

const FIRST: Text = { en: 'before all others: `jobs run` queued it', zh: '先于其他任务: 由 `jobs run` 入队' };

/** What is unknown, and what is as usual, is left out. */
function factsOf(
  { job, blocked, isForeground }: ShownJob,
  result: Outcome | undefined,
  language: Language,
): [string, string][] {
  const { id, state, reason, target, schedule, createdAt, dueAt, attempt, priority, worker, run } = job;
  const facts: Record<keyof typeof LABELS, string | null | undefined> = {
    id,
    state: JOB_STATES[state][language],
    progress: job.progress,
    reason: reason && sayReason(reason, language),
    blocked: blocked?.[language],
    labels: job.labels?.join(', '),
    digest: job.digest,
    environments: environmentsOf(job).join(', ') || null,
    target,
    params: paramsText(job),
    schedule,
    occurrence: time(job.occurrence),
    created: time(createdAt),
    due: state === 'queued' && dueAt > createdAt ? time(dueAt) : null,
    started: time(job.startedAt),
    ended: time(job.endedAt),
    attempts: String(attempt),
    priority: isForeground ? FIRST[language] : priority === 0 ? null : String(priority),
    worker,
    run: run && `skillwright runs show ${run}`,
    outcome: result?.summary === reason ? null : result?.summary,
  };
  return Object.entries(facts).flatMap(([name, value]): [string, string][] =>
    value ? [[LABELS[name as keyof typeof LABELS][language], visible(value)]] : [],
  );
}

function paramsText(job: Job): string | undefined {
  const params = paramsOf(job) ?? {};
  return Object.keys(params).length === 0 ? undefined : JSON.stringify(params);
}

const ENDS = {
  done: { en: 'done', zh: '已完成' },
  failed: { en: 'failed', zh: '失败' },
  waiting: { en: 'waiting', zh: '待决定' },
  cancelled: { en: 'cancelled', zh: '已取消' },
  silent: { en: 'its worker went silent', zh: '执行者失去响应' },
} as const satisfies Record<NonNullable<JobAttempt['how']>, Text>;
const RUNNING: Text = { en: 'running', zh: '运行中' };

/** One attempt is told by the facts above; of several each has its line. */
function renderAttempts(attempts: readonly JobAttempt[], language: Language, terminal: Terminal): string {
  if (attempts.length < 2) return '';
  const lines = attempts.map((one): [string, string] => {
    const { how, reason, worker, run, startedAt, endedAt } = one;
    const said = how === undefined ? RUNNING : ENDS[how];
    const seconds = endedAt === undefined ? undefined : `${((endedAt - startedAt) / 1000).toFixed(1)} s`;
    const facts = [time(startedAt), seconds, reason ? `${said[language]}: ${reason}` : said[language], worker, run];
    return [`#${one.attempt}`, visible(facts.filter((fact) => fact !== undefined).join('  '))];
  });
  return renderList(lines, terminal);
}

/** What a program that failed wrote to stderr. */
function errorText({ stderr = '', summary }: Outcome): string | undefined {
  return stderr === '' || summary.includes(stderr) ? undefined : showText(stderr);
}

const NONE: Text = { en: 'Nothing that was printed is kept on this machine.', zh: '本机未保存任何输出。' };

function renderOutputs(outputs: readonly AttemptOutput[], language: Language): string {
  if (outputs.length === 0) return NONE[language];
  return outputs.map(({ attempt, run, text }) => `#${attempt} ${run}\n${showText(text)}`).join('\n\n');
}
