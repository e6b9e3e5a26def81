// `jobs show`: one job with everything the queue knows of it, and its whole outcome.
import { type ShownJob, showJob } from '../../../app/job/look.ts';
import { describeJob, JOB_STATES, readResult, sayReason, time } from '../../../app/view/jobs.ts';
import { flatten } from '../../../base/flat-outcome.ts';
import type { Language, Text } from '../../../base/language.ts';
import { makeOutcome, type Outcome } from '../../../base/outcome.ts';
import { renderList } from '../../../base/text/terminal.ts';
import { visible } from '../../../base/text.ts';
import type { Job } from '../../../store/queue.ts';
import type { Command } from '../../frame/command.ts';
import { outcomeBody } from '../../view/outcome-body.ts';
import { JOB } from './change.ts';

export const command: Command = {
  positionals: [JOB],
  options: [],
  examples: ['skillwright jobs show latest', 'skillwright jobs show latest --json'],
  async run({ positionals: [id = ''], runtime, terminal }) {
    const shown = await showJob(id, runtime);
    const { job } = shown;
    const result = readResult(job);
    const blocked = shown.blocked?.[runtime.language];
    const summary = { en: nameWithState(job, 'en'), zh: nameWithState(job, 'zh') };
    const data = {
      job: {
        ...describeJob(job),
        outcome: result ? flatten(result) : null,
        worker: job.worker ?? null,
        digest: job.digest ?? null,
        labels: job.labels ?? [],
        blocked: blocked ?? null,
      },
    };
    const facts = renderList(factsOf(shown, result, runtime.language), terminal);
    const body = result && outcomeBody(result);
    return {
      outcome: makeOutcome(runtime.answering('jobs', 'own'), 'success', summary, data),
      human: body === undefined ? facts : `${facts}\n\n${body}`,
      ...(job.state === 'waiting' && { hint: DECIDE[runtime.language] }),
    };
  },
};

const DECIDE: Text = {
  en: '`skillwright interrupts` shows its question, and the command that answers it.',
  zh: '`skillwright interrupts` 显示它的问题及作答的命令。',
};

function nameWithState({ target, state }: Job, language: Language): string {
  return visible(`${target}: ${JOB_STATES[state][language]}`);
}

const LABELS = {
  id: { en: 'id', zh: '任务' },
  state: { en: 'state', zh: '状态' },
  reason: { en: 'reason', zh: '原因' },
  blocked: { en: 'not begun', zh: '未开始' },
  labels: { en: 'labels', zh: '标签' },
  digest: { en: 'pinned to', zh: '固定到' },
  target: { en: 'does', zh: '内容' },
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
    reason: reason && sayReason(reason, language),
    blocked: blocked?.[language],
    labels: job.labels?.join(', '),
    digest: job.digest,
    target,
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
