// The port to the job queue: durable, shared by any number of processes, each job leased to one worker at a time.
import type { Text } from '../base/language.ts';
import type { Awaitable } from './store.ts';

export type JobState = 'queued' | 'running' | 'done' | 'dead' | 'cancelled' | 'waiting' | 'skipped';

/** The format of a label. */
export const LABEL = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

export interface RetryRule {
  /** Retries after a failure; a lost worker is not one. */
  readonly limit: number;
  /** Exponential backoff up to `maxMs`, with jitter of up to half, so that jobs do not retry all at once. */
  readonly delayMs: number;
  readonly maxMs: number;
}

export interface NewJob {
  readonly role: string;
  /** What runs, for people: `role/skill action`, or the beginning of a prompt. */
  readonly target: string;
  /** Read by the executor only; the queue does not look inside. */
  readonly payload: string;
  /** Idempotency key: the same key again returns the same job; with another payload it is a conflict. */
  readonly key?: string;
  readonly delayMs?: number;
  /** Priority: higher is claimed sooner; 0 when absent. */
  readonly priority?: number;
  readonly retry: RetryRule;
  readonly timeoutMs: number;
  /** Of jobs in one lane only one runs at a time. */
  readonly lane?: string;
  /** When the lane is busy (queued, running or waiting): skip the run, and record that in the history. */
  readonly skipIfBusy?: boolean;
  readonly schedule?: string;
  /** The scheduled time it runs for, milliseconds since 1970. */
  readonly occurrence?: number;
  /** Only a worker that has these files can run it. */
  readonly digest?: string;
  /** Only a worker with all of these labels can run it. */
  readonly labels?: readonly string[];
  /** The parent span of its trace, as a W3C traceparent. */
  readonly traceparent?: string;
}

export interface Job extends Omit<NewJob, 'delayMs' | 'skipIfBusy'> {
  readonly id: string;
  readonly state: JobState;
  readonly attempt: number;
  readonly priority: number;
  readonly createdAt: number;
  /** Not claimed before this time. */
  readonly dueAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly worker?: string;
  /** The outcome as JSON text, once there is one; for a dead job the last failure. */
  readonly result?: string;
  /** Why it is dead, skipped, cancelled or waiting. */
  readonly reason?: string;
  /** The record of the run that executed it last. */
  readonly run?: string;
  /** How many of its attempts ended because their worker went silent; absent: none. */
  readonly lost?: number;
  /** Oldest first; the attempt that runs or completed it is not among them. */
  readonly tries?: readonly JobTry[];
  /** What the current or last attempt reported. */
  readonly progress?: string;
}

/** An attempt that ended without completing the job. */
export interface JobTry {
  readonly attempt: number;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly how: 'failed' | 'waiting' | 'cancelled' | 'silent';
  readonly worker?: string;
  readonly reason?: string;
  readonly run?: string;
}

/** How often a job is started again after its worker went silent, or its retry limit where that is higher. */
export const SPARE_WORKERS = 3;

/** A reason written by the queue; stored in English, shown in the language of the reader. */
export const REASONS = {
  busy: { en: 'the one before it had not ended', zh: '上一次尚未结束' },
  cancelled: { en: 'cancelled', zh: '已取消' },
  silent: { en: 'its worker went silent', zh: '执行者失去响应' },
} as const satisfies Record<string, Text>;

/** A fencing token is never given twice: each later holder of the job has a higher one. */
export interface Hold {
  readonly id: string;
  readonly fence: number;
}

export interface ClaimedJob extends Job {
  readonly fence: number;
  /** Tag of the processes of a worker whose lease expired; they must be ended before anything is started. */
  readonly former?: string;
}

export interface ClaimWish {
  readonly worker: string;
  /** Tag of the processes this worker will start, so that a successor can end them; unique to this claim. */
  readonly tag: string;
  readonly leaseMs: number;
  readonly limit: number;
  /** Absent: the worker can get any files. */
  readonly digests?: readonly string[];
  readonly labels?: readonly string[];
  /** Claim only this job, even before it is due; pause, lanes, files and labels still apply. */
  readonly only?: string;
}

export type Held = 'held' | 'lost' | 'cancelled';

export type Failed =
  | { readonly state: 'queued'; readonly dueAt: number }
  | { readonly state: 'dead' | 'cancelled' | 'lost' };

export type Enqueued =
  | { readonly state: 'queued' | 'known' | 'skipped'; readonly id: string }
  | { readonly state: 'conflict'; readonly id: string };

export interface JobFilter {
  readonly role?: string;
  readonly schedule?: string;
  readonly states?: readonly JobState[];
  readonly limit?: number;
  /** Only jobs older than this one. */
  readonly before?: string;
}

export interface QueueStats {
  readonly counts: Readonly<Record<JobState, number>>;
  /** Age of the oldest job that could run now. */
  readonly oldestDueMs: number;
  readonly paused: boolean;
}

export interface WorkerSeen {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly labels: readonly string[];
  readonly capacity: number;
  readonly running: number;
  readonly startedAt: number;
  readonly seenAt: number;
  /** Digests of the files it has; absent: any. */
  readonly digests?: readonly string[];
}

/** What queued jobs require of a worker, with the number of jobs that require it. */
export interface JobNeed extends Pick<NewJob, 'digest' | 'labels'> {
  readonly jobs: number;
}

/** Every change is durable when the call returns. A locked database is retried until a deadline, then a Fault is thrown. */
export interface Queue {
  enqueue(job: NewJob): Awaitable<Enqueued>;
  /** Due jobs by priority, then age; a job whose lease expired is due again, up to SPARE_WORKERS times, at no cost of its retries. */
  claim(wish: ClaimWish): Awaitable<readonly ClaimedJob[]>;
  /**
   * Tags of workers whose lease expired, whatever became of their jobs.
   * Also requeues the jobs of expired leases, so that no job depends on a worker with free capacity.
   * Every adapter keeps each tag until `cleaned`, so that a crash while cleaning loses nothing.
   */
  leftBehind(): Awaitable<readonly string[]>;
  /** Confirms that no process of this tag runs any more. */
  cleaned(tag: string): Awaitable<void>;
  /** The heartbeat: renews leases, and tells a worker that its job was cancelled. */
  renew(holds: readonly Hold[], leaseMs: number): Awaitable<readonly Held[]>;
  /** What the job says of its progress; without effect when the lease is lost. */
  report(hold: Hold, progress: string): Awaitable<void>;
  /** False when the lease is lost: the result is refused. */
  complete(hold: Hold, end: { readonly result: string; readonly run?: string }): Awaitable<boolean>;
  /** Retried later while attempts remain, else dead. */
  fail(
    hold: Hold,
    end: { readonly result: string; readonly reason: string; readonly retryable: boolean; readonly run?: string },
  ): Awaitable<Failed>;
  /** Suspended until a decision; `retry` resumes it. */
  suspend(
    hold: Hold,
    end: { readonly result: string; readonly reason: string; readonly run?: string },
  ): Awaitable<boolean>;
  /** Released untouched by a worker that shuts down; costs no attempt. */
  release(hold: Hold): Awaitable<boolean>;
  /** A running job is cancelled by its worker, at its next heartbeat. */
  cancel(id: string): Awaitable<'cancelled' | 'cancelling' | 'ended' | 'unknown'>;
  /** Restarts a dead, cancelled, skipped or waiting job from the first attempt. */
  retry(id: string, delayMs?: number): Awaitable<'queued' | 'active' | 'done' | 'unknown'>;
  find(id: string): Awaitable<Job | undefined>;
  /** Newest first. */
  history(filter: JobFilter): Awaitable<readonly Job[]>;
  stats(): Awaitable<QueueStats>;
  /** Only jobs that are queued and not held back by their lane. */
  needs(): Awaitable<readonly JobNeed[]>;
  /** Nothing is claimed while paused; running jobs continue. */
  setPaused(paused: boolean): Awaitable<void>;
  /** Deletes ended jobs older than this, but never the last one of a schedule. */
  prune(olderThanMs: number): Awaitable<number>;
  /** Resolves when there may be work that the last claim did not see, after `ms` at the latest, or when aborted. */
  waitForWork(ms: number, signal: AbortSignal): Promise<void>;
  /** Announces a live worker. */
  seen(worker: Omit<WorkerSeen, 'seenAt'>): Awaitable<void>;
  /** Graceful shutdown of a worker; one that stops without it counts as crashed. */
  leave(worker: string): Awaitable<void>;
  workers(): Awaitable<readonly WorkerSeen[]>;
  readonly schedules: Schedules;
  close(): Awaitable<void>;
}

/** The stored state of a schedule: how far it is planned, for which files, and why it is disabled. */
export interface ScheduleState {
  readonly id: string;
  /** Fingerprint of its definition; when it changes, planning starts over. */
  readonly written: string;
  /** Digest of the files it was enabled for; empty while it follows the latest. */
  readonly digest: string;
  /** Runs up to this time are planned. */
  readonly plannedTo: number;
  readonly state: 'active' | 'disabled' | 'stopped';
  /** Why it was stopped or disabled. */
  readonly reason?: string;
}

export interface Schedules {
  all(): Awaitable<readonly ScheduleState[]>;
  /** Begins it where it is unknown or written differently; else leaves it as it is. A disabled one stays disabled. */
  open(begin: Omit<ScheduleState, 'state' | 'reason'>): Awaitable<ScheduleState>;
  /** One of several schedulers wins: moves the mark and enqueues the moments before it, all or nothing. */
  plan(id: string, from: number, to: number, jobs: readonly NewJob[]): Awaitable<boolean>;
  /** Only one that is active. */
  stop(id: string, reason: string): Awaitable<void>;
  /** Also one that was never opened. */
  disable(id: string, reason: string): Awaitable<void>;
  /** Active again from now on, for these files. */
  enable(id: string, digest: string, now: number): Awaitable<void>;
}
