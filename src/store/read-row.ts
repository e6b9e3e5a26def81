// Rows of either database as what the ports speak of: both call their columns the same.
import { Fault } from '../base/errors.ts';
import { isRecord, isTextList, jsonIfValid } from '../base/json.ts';
import { isWord } from '../base/value/shape.ts';
import type { Job, JobNeed, JobState, JobTry, ScheduleState, WorkerSeen } from './queue.ts';
import type { FlightSeen, Usage } from './store.ts';

type Row = Readonly<Record<string, unknown>>;

/** To count upon: a state without a row has no job. */
export function noJobs(): Record<JobState, number> {
  return { queued: 0, running: 0, waiting: 0, done: 0, dead: 0, cancelled: 0, skipped: 0 };
}

export function toJob(row: Row): Job {
  return {
    id: String(row.id),
    role: String(row.role),
    target: String(row.target),
    payload: String(row.payload),
    state: readState(row),
    attempt: Number(row.attempt),
    priority: Number(row.priority),
    retry: { limit: Number(row.retry_limit), delayMs: Number(row.retry_delay), maxMs: Number(row.retry_max) },
    timeoutMs: Number(row.timeout_ms),
    createdAt: Number(row.created_at),
    dueAt: Number(row.due_at),
    ...texts(row),
    ...(row.occurrence !== null && { occurrence: Number(row.occurrence) }),
    ...(row.started_at !== null && { startedAt: Number(row.started_at) }),
    ...(row.ended_at !== null && { endedAt: Number(row.ended_at) }),
    ...(row.labels !== null && { labels: readList(row.labels) ?? [] }),
    ...(Number(row.lost) > 0 && { lost: Number(row.lost) }),
    ...(typeof row.tries === 'string' && { tries: readTries(row.tries) }),
  };
}

/** Counts of states this version does not know are left out. */
export function addCount(counts: Record<JobState, number>, state: unknown, jobs: number): void {
  if (isJobState(state)) counts[state] += jobs;
}

function isJobState(value: unknown): value is JobState {
  return typeof value === 'string' && Object.hasOwn(noJobs(), value);
}

function readState({ id, state }: Row): JobState {
  if (isJobState(state)) return state;
  throw unknownState(`job ${id}`, state);
}

function unknownState(whose: string, state: unknown): Fault {
  return new Fault(
    'StateUnusable',
    { en: `${whose} has the unknown state ${String(state)}`, zh: `${whose} 的状态 ${String(state)} 无法识别` },
    {
      hint: {
        en: 'It was written by a newer Skillwright, or changed by hand: update this one, then try again.',
        zh: '由更新版本的 Skillwright 写入，或被手工改动: 请升级本程序后重试。',
      },
    },
  );
}

/** Written by our own statements; anything else counts as none. */
function readTries(text: string): JobTry[] {
  const list = jsonIfValid(text);
  return Array.isArray(list) ? list.filter(isRecord).map(toTry) : [];
}

function toTry({ attempt, started, ended, how, worker, reason, run }: Row): JobTry {
  return {
    attempt: Number(attempt),
    startedAt: Number(started),
    endedAt: Number(ended),
    how: TRY_ENDS.find((one) => one === how) ?? 'failed',
    ...(typeof worker === 'string' && { worker }),
    ...(typeof reason === 'string' && { reason }),
    ...(typeof run === 'string' && { run }),
  };
}

const TRY_ENDS = ['failed', 'waiting', 'cancelled', 'silent'] as const satisfies readonly JobTry['how'][];

const TEXTS = [
  'key',
  'lane',
  'schedule',
  'digest',
  'worker',
  'result',
  'reason',
  'run',
  'traceparent',
  'progress',
] as const;

function texts(row: Row): Partial<Record<(typeof TEXTS)[number], string>> {
  return Object.fromEntries(TEXTS.flatMap((name) => (row[name] === null ? [] : [[name, String(row[name])]])));
}

export function toWorker(row: Row): WorkerSeen {
  const digests = readList(row.digests);
  return {
    id: String(row.id),
    host: String(row.host),
    pid: Number(row.pid),
    labels: readList(row.labels) ?? [],
    capacity: Number(row.capacity),
    running: Number(row.running),
    startedAt: Number(row.started_at),
    seenAt: Number(row.seen_at),
    ...(digests && { digests }),
  };
}

export function toNeed({ digest, labels, jobs }: Row): JobNeed {
  const wanted = readList(labels);
  return { jobs: Number(jobs), ...(typeof digest === 'string' && { digest }), ...(wanted && { labels: wanted }) };
}

/** A value that is not a list becomes its only label, which no worker has: one bad row must not break a poll or other claims. */
export function readList(value: unknown): string[] | undefined {
  if (typeof value !== 'string') return undefined;
  const list = jsonIfValid(value);
  return isTextList(list) ? list : [value];
}

const isScheduleState = isWord<ScheduleState['state']>(['active', 'disabled', 'stopped']);

export function toScheduleState(row: Row): ScheduleState {
  if (!isScheduleState(row.state)) throw unknownState(`schedule ${row.id}`, row.state);
  return {
    id: String(row.id),
    written: String(row.written),
    digest: String(row.digest),
    plannedTo: Number(row.planned_to),
    state: row.state,
    ...(row.reason !== null && { reason: String(row.reason) }),
  };
}

export function toUsage(row: Row): Usage {
  return {
    count: Number(row.count),
    failures: Number(row.failures),
    totalMs: Number(row.total_ms),
    ...(row.last_ms !== null && { lastMs: Number(row.last_ms) }),
    ...(row.last_used !== null && { lastUsed: Number(row.last_used) }),
  };
}

export function toFlightSeen(row: Row): FlightSeen {
  const known = { fence: Number(row.fence), payload: String(row.payload) };
  return row.result === null
    ? { state: 'running', ...known }
    : { state: 'finished', ...known, result: String(row.result) };
}
