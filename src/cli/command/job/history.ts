// `jobs history`: what ran, runs and waits, the newest first.
import { listJobs } from '../../../app/job/look.ts';
import { describeJob, findJobState, JOB_STATES, readResult, sayReason, time } from '../../../app/view/jobs.ts';
import type { Language, Text } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { renderRecords } from '../../../base/text/record-table.ts';
import { utcSecond } from '../../../base/text/utc-second.ts';
import { visible } from '../../../base/text.ts';
import type { Job } from '../../../store/queue.ts';
import { type Command, textOption } from '../../frame/command.ts';
import { readCount } from '../../view/count.ts';
import { recordColumns, type WholeTitle } from '../../view/titled-columns.ts';

const LIMIT = '50';
const STATES = Object.values(JOB_STATES).map(({ en }) => en);
/** What they are called in the queue, and in Chinese. */
const ALSO = [...Object.keys(JOB_STATES), ...Object.values(JOB_STATES).map(({ zh }) => zh)];

export const command: Command = {
  positionals: [],
  options: [
    { name: 'role', value: 'ROLE', summary: { en: 'only jobs of this role', zh: '仅此角色的任务' } },
    { name: 'schedule', value: 'SCHEDULE', summary: { en: 'only jobs of this schedule', zh: '仅此定时任务' } },
    {
      name: 'state',
      value: 'STATE',
      choices: STATES,
      alsoTaken: ALSO,
      summary: { en: 'only jobs in this state', zh: '仅此状态' },
    },
    { name: 'limit', value: 'N', summary: { en: `how many; ${LIMIT} unless given`, zh: `数量；默认 ${LIMIT}` } },
    { name: 'before', value: 'JOB', summary: { en: 'older than this job', zh: '早于此任务' } },
  ],
  examples: ['skillwright jobs history', 'skillwright jobs history --role dev_efficiency_analyst --json'],
  async run({ options, runtime, terminal }) {
    const role = textOption(options, 'role');
    const schedule = textOption(options, 'schedule');
    const before = textOption(options, 'before');
    const state = findJobState(textOption(options, 'state') ?? '');
    const filter = {
      limit: readCount('limit', textOption(options, 'limit') ?? LIMIT),
      ...(role !== undefined && { role }),
      ...(schedule !== undefined && { schedule }),
      ...(before !== undefined && { before }),
      ...(state && { states: [state] }),
    };
    const jobs = await listJobs(filter, runtime);
    const outcome = makeOutcome(runtime.answering('jobs', 'own'), 'success', countJobs(jobs.length), {
      jobs: jobs.map(describeJob),
      total: jobs.length,
    });
    if (jobs.length === 0) return { outcome };
    const rows = jobs.map((job) => renderRow(job, runtime.language));
    return { outcome, human: renderRecords(recordColumns(TITLES, runtime.language), rows, terminal) };
  },
};

const TITLES: readonly WholeTitle[] = [
  { en: 'JOB', zh: '任务' },
  { en: 'STATE', zh: '状态', whole: true },
  { en: 'STARTED', zh: '开始', whole: true },
  { en: 'SECONDS', zh: '秒' },
  { en: 'TRIES', zh: '次数' },
  { en: 'DOES', zh: '内容' },
  { en: 'OUTCOME', zh: '结果' },
];

function renderRow(job: Job, language: Language): string[] {
  const { id, state, startedAt, endedAt, attempt, target } = job;
  const seconds = startedAt !== undefined && endedAt !== undefined ? ((endedAt - startedAt) / 1000).toFixed(1) : '–';
  const said = state === 'done' ? visible(readResult(job)?.summary ?? '') : sayReason(job.reason, language);
  const began = time(startedAt);
  const started = began === null ? '–' : utcSecond(began);
  return [id, JOB_STATES[state][language], started, seconds, String(attempt), visible(target), said];
}

function countJobs(total: number): Text {
  if (total === 0) return { en: 'no jobs here', zh: '没有任务' };
  return { en: `${total} ${total === 1 ? 'job' : 'jobs'}`, zh: `共 ${total} 个任务` };
}
