// The jobs of a project and who runs them, as the queue knows them; and one job cancelled or queued again.
import type { Text } from '../../base/language.ts';
import { isAlive, type Unmet, unmetNeeds, whyNotBegun } from '../../jobs/able.ts';
import { FOREGROUND_PRIORITY } from '../../jobs/run-here.ts';
import type { Job, JobFilter, Queue, WorkerSeen } from '../../store/queue.ts';
import type { Runtime } from '../runtime.ts';
import { findJob } from '../view/jobs.ts';
import { withJobQueue } from './open-jobs.ts';

/** The newest first. */
export async function listJobs(filter: JobFilter, runtime: Runtime): Promise<readonly Job[]> {
  return await withJobQueue(runtime, async (queue) => await queue.history(filter));
}

export interface ShownJob {
  readonly job: Job;
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
    return { job, blocked, isForeground: job.priority === FOREGROUND_PRIORITY };
  });
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
