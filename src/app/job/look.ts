// The jobs of a project and who runs them, as the queue knows them; and one job cancelled or queued again.
import { hasRun } from '../../audit/run-folder.ts';
import type { Text } from '../../base/language.ts';
import { isAlive, type Unmet, unmetNeeds, whyNotBegun } from '../../jobs/able.ts';
import { FOREGROUND_PRIORITY } from '../../jobs/run-here.ts';
import type { Job, JobFilter, JobTry, Queue, WorkerSeen } from '../../store/queue.ts';
import { showRun } from '../record/show.ts';
import type { Runtime } from '../runtime.ts';
import { findJob } from '../view/jobs.ts';
import { withJobQueue } from './open-jobs.ts';

/** The newest first. */
export async function listJobs(filter: JobFilter, runtime: Runtime): Promise<readonly Job[]> {
  return await withJobQueue(runtime, async (queue) => await queue.history(filter));
}

export interface ShownJob {
  readonly job: Job;
  /** Every attempt, the oldest first, also the one that runs. */
  readonly attempts: readonly JobAttempt[];
  /** Why nobody has begun it. */
  readonly blocked: Text | undefined;
  /** Somebody waits for it: before all others. */
  readonly isForeground: boolean;
}

/** By its id, or `latest`. */
export async function showJob(written: string, runtime: Runtime): Promise<ShownJob> {
  return await withJobQueue(runtime, async (queue) => {
    const job = await findJob(queue, written);
    const blocked = await whyNotBegun(queue, job, runtime.clock.now());
    return { job, attempts: attemptsOf(job), blocked, isForeground: job.priority === FOREGROUND_PRIORITY };
  });
}

/** `how` is absent while it runs. */
export type JobAttempt = Omit<JobTry, 'how' | 'endedAt'> & {
  readonly how?: JobTry['how'] | 'done' | undefined;
  readonly endedAt?: number | undefined;
};

/** The queue counts anew after `jobs retry` and after a decision; here each has its own number. */
function attemptsOf({ tries = [], state, attempt, startedAt, endedAt, worker, run }: Job): JobAttempt[] {
  const isOpen = startedAt !== undefined && (state === 'running' || state === 'done');
  const how = state === 'done' ? ('done' as const) : undefined;
  const current = isOpen && { attempt, startedAt, endedAt, how, ...(worker && { worker }), ...(run && how && { run }) };
  return [...tries, ...(current ? [current] : [])].map((one, at) => ({ ...one, attempt: at + 1 }));
}

/** What each attempt printed, where its record is on this machine. */
export function outputsOf({ attempts }: ShownJob, runtime: Runtime): AttemptOutput[] {
  return attempts.flatMap(({ attempt, run }): AttemptOutput[] => {
    if (run === undefined || !hasRun(runtime.project, run)) return [];
    return showRun(run, runtime).printed.flatMap(({ text }) => (text === null ? [] : [{ attempt, run, text }]));
  });
}

export interface AttemptOutput {
  readonly attempt: number;
  readonly run: string;
  readonly text: string;
}

export interface WorkerList {
  readonly workers: readonly (WorkerSeen & { readonly alive: boolean })[];
  /** What jobs wait for and no live worker has. */
  readonly unmet: readonly Unmet[];
}

export async function listWorkers(runtime: Runtime): Promise<WorkerList> {
  return await withJobQueue(runtime, async (queue) => {
    const now = runtime.clock.now();
    const workers = (await queue.workers()).map((worker) => ({ ...worker, alive: isAlive(worker, now) }));
    return { workers, unmet: await unmetNeeds(queue, now) };
  });
}

type Answer<Method extends 'cancel' | 'retry'> = Awaited<ReturnType<Queue[Method]>>;

export interface ChangedJob<Kind> {
  readonly id: string;
  readonly answer: Kind;
}

/** One that waits never runs; one that runs is ended with everything it started. */
export async function cancelJob(written: string, runtime: Runtime): Promise<ChangedJob<Answer<'cancel'>>> {
  return await withJobQueue(runtime, async (queue) => {
    const { id } = await findJob(queue, written);
    return { id, answer: await queue.cancel(id) };
  });
}

/** One that failed, was cancelled, skipped or waits is queued once more. */
export async function retryJob(written: string, runtime: Runtime): Promise<ChangedJob<Answer<'retry'>>> {
  return await withJobQueue(runtime, async (queue) => {
    const { id } = await findJob(queue, written);
    return { id, answer: await queue.retry(id) };
  });
}
