// A job and a schedule as people read them and as `--json` carries them.
import { Fault } from '../../base/errors.ts';
import { parseOutcome } from '../../base/flat-outcome.ts';
import type { Json } from '../../base/json.ts';
import { inLanguage, type Language, type Text } from '../../base/language.ts';
import { type Answering, errorOutcome, makeOutcome, type Outcome, tell } from '../../base/outcome.ts';
import { didYouMean } from '../../base/text/did-you-mean.ts';
import { visible } from '../../base/text.ts';
import { payloadIfOurs } from '../../jobs/payload.ts';
import { type Schedule, whyNotUsed } from '../../jobs/schedule.ts';
import { wallTime } from '../../jobs/zone.ts';
import { listRoles, mistakeInRole } from '../../registry/role/role.ts';
import { type Job, type JobState, type Queue, REASONS } from '../../store/queue.ts';
import { schedulesOf } from '../job/open-jobs.ts';

export const JOB_STATES: Readonly<Record<JobState, Text>> = {
  queued: { en: 'queued', zh: '排队中' },
  running: { en: 'running', zh: '运行中' },
  done: { en: 'done', zh: '已完成' },
  dead: { en: 'failed', zh: '失败' },
  cancelled: { en: 'cancelled', zh: '已取消' },
  waiting: { en: 'waiting', zh: '待决定' },
  skipped: { en: 'skipped', zh: '已跳过' },
};

/** By its name in the queue, or the word it is shown by. */
export function findJobState(written: string): JobState | undefined {
  const states = Object.keys(JOB_STATES) as JobState[];
  return states.find((state) => state === written || Object.values(JOB_STATES[state]).includes(written));
}

export function describeJob(job: Job) {
  const { id, role, state, attempt, schedule, reason, run, priority } = job;
  const target = payloadIfOurs(job.payload);
  const outcome = readResult(job);
  return {
    id,
    role: role === '' ? null : role,
    skill: target && 'skill' in target ? target.skill : null,
    action: target && 'skill' in target ? target.action : null,
    prompt: target && 'prompt' in target ? target.prompt : null,
    state,
    attempts: attempt,
    created: time(job.createdAt),
    due: time(job.dueAt),
    started: time(job.startedAt),
    ended: time(job.endedAt),
    outcome: outcome ? { state: outcome.state, summary: outcome.summary } : null,
    reason: reason ?? null,
    schedule: schedule ?? null,
    occurrence: time(job.occurrence),
    run: run ?? null,
    priority,
  };
}

/** Undefined for a prompt. */
export function paramsOf({ payload }: Job): Readonly<Record<string, Json>> | undefined {
  const target = payloadIfOurs(payload);
  return target && 'params' in target ? target.params : undefined;
}

/** The lock entries of the packages that a pinned job names. */
export function environmentsOf({ payload }: Job): readonly string[] {
  const target = payloadIfOurs(payload);
  return target && 'skill' in target ? (target.environments ?? []) : [];
}

/** What came of it, as far as anything did. */
export function readResult({ result }: Pick<Job, 'result'>): Outcome | undefined {
  return result === undefined ? undefined : parseOutcome(result);
}

/** The outcome of a job as the answer of a command: what it says itself, and which job it was. */
export function outcomeOf(job: Job, by: Answering): Outcome {
  const stored = readResult(job);
  const facts = { job: job.id, job_state: job.state, attempts: job.attempt, ...(job.run && { run_id: job.run }) };
  if (job.state === 'cancelled' || job.state === 'skipped' || !stored) {
    const what = `${job.target}: ${JOB_STATES[job.state].en}`;
    const said = { en: visible(what), zh: visible(`${job.target}: ${JOB_STATES[job.state].zh}`) };
    if (job.state === 'queued') return makeOutcome(by, 'success', said, facts);
    const failure = failureOf(job);
    return errorOutcome(by, said, failure, { ...facts, ...failure });
  }
  return tell(stored, facts);
}

function failureOf({ state, reason }: Job) {
  return { type: 'RUNTIME_ERROR', code: 'RUNTIME_ERROR', msg: reason ?? state, recoverable: true };
}

/** Our own reasons are known in both languages; others stand as they were said. */
export function sayReason(
  reason: string | undefined,
  language: Language,
  known: readonly Text[] = Object.values(REASONS),
): string {
  const own = known.find(({ en }) => en === reason);
  return visible(own ? inLanguage(own, language) : (reason ?? ''));
}

export function describeWhen({ when, timezone }: Schedule): Text {
  if (when.kind === 'cron') return sameInBoth(`${when.pattern} ${timezone}`);
  if (when.kind === 'every') return { en: `every ${span(when.ms)}`, zh: `每 ${span(when.ms)}` };
  const [first = 0, ...more] = when.moments;
  return sameInBoth(`at ${time(first)}${more.length > 0 ? ` +${more.length}` : ''}`);
}

function sameInBoth(text: string): Text {
  return { en: text, zh: text };
}

export function time(moment: number | undefined): string | null {
  return moment === undefined || !Number.isFinite(moment) ? null : new Date(moment).toISOString();
}

/** As the clock of the schedule's own time zone shows it, with its offset from UTC. */
export function wallClock(moment: number | undefined, { timezone }: Pick<Schedule, 'timezone'>): string | undefined {
  if (moment === undefined) return undefined;
  const wall = wallTime(moment, timezone);
  return `${time(wall)?.slice(0, 19).replace('T', ' ')}${offsetText(wall - moment)}`;
}

function offsetText(ms: number): string {
  const minutes = Math.round(Math.abs(ms) / 60_000);
  if (minutes === 0) return 'Z';
  const twoDigits = (number: number) => String(number).padStart(2, '0');
  return `${ms < 0 ? '-' : '+'}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

/** Throws a Fault for an id nobody has; `latest` is the newest job. */
export async function findJob(queue: Queue, id: string): Promise<Job> {
  const found = id === 'latest' ? (await queue.history({ limit: 1 }))[0] : await queue.find(id);
  if (found) return found;
  const shown = visible(id);
  throw new Fault(
    'DataNotFound',
    { en: `no job ${shown}`, zh: `没有任务 ${shown}` },
    { hint: { en: '`skillwright jobs history` lists them.', zh: '`skillwright jobs history` 列出任务。' } },
  );
}

/** Throws a Fault that says what is wrong with it, or which names are near. */
export async function findSchedule(project: string, id: string): Promise<Schedule> {
  const { schedules, diagnostics } = schedulesOf(await listRoles(project));
  const found = schedules.find((schedule) => schedule.id === id);
  if (found) return found;
  const mistake = whyNotUsed(id, diagnostics);
  if (mistake) throw mistakeInRole(mistake, diagnostics);
  const shown = visible(id);
  throw new Fault(
    'DataNotFound',
    { en: `no schedule ${shown}`, zh: `没有定时任务 ${shown}` },
    didYouMean(
      id,
      schedules.map((one) => one.id),
      { en: '`skillwright jobs list` shows them.', zh: '`skillwright jobs list` 列出定时任务。' },
    ),
  );
}

function span(ms: number): string {
  const units: [number, string][] = [
    [86_400_000, 'd'],
    [3_600_000, 'h'],
    [60_000, 'm'],
    [1_000, 's'],
  ];
  const [size = 1, unit = 'ms'] = units.find(([length]) => ms >= length && ms % length === 0) ?? [];
  return `${ms / size}${unit}`;
}
