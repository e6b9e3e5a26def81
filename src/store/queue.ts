// The port to the queue of jobs: durable, shared by any number of processes, each job held by one of them at a time.
import type { Text } from '../base/language.ts';
import type { Awaitable } from './store.ts';

export type JobState = 'queued' | 'running' | 'done' | 'dead' | 'cancelled' | 'waiting' | 'skipped';

/** What a label looks like, wherever one is written. */
export const LABEL = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

export interface RetryRule {
  /** How often it may be tried again after the first time. */
  readonly limit: number;
  /** Doubled with each try, up to `maxMs`, then shortened by up to half of itself, so that not all come back at once. */
  readonly delayMs: number;
  readonly maxMs: number;
}

export interface NewJob {
  readonly role: string;
  /** What runs, for people: `role/skill action`, or the beginning of a prompt. */
  readonly target: string;
  /** For whoever executes it; the queue does not look inside. */
  readonly payload: string;
  /** The same key a second time is the same job; with another payload it is a conflict. */
  readonly key?: string;
  readonly delayMs?: number;
  /** Higher is sooner; 0 when absent. */
  readonly priority?: number;
  readonly retry: RetryRule;
  readonly timeoutMs: number;
  /** Of jobs in one lane only one runs at a time. */
  readonly lane?: string;
  /** A busy lane (queued, running or waiting): do not run at all, and say so in the history. */
  readonly skipIfBusy?: boolean;
  readonly schedule?: string;
  /** The moment of the schedule it stands for, milliseconds since 1970. */
  readonly occurrence?: number;
  /** Only a worker that has these files can run it. */
  readonly digest?: string;
  /** Only a worker with all of these can run it. */
  readonly labels?: readonly string[];
  /** What its trace hangs below, as W3C writes it. */
  readonly traceparent?: string;
}

export interface Job extends Omit<NewJob, 'delayMs' | 'skipIfBusy'> {
  readonly id: string;
  readonly state: JobState;
  readonly attempt: number;
  readonly priority: number;
  readonly createdAt: number;
  /** Not before this. */
  readonly dueAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly worker?: string;
  /** The outcome as JSON text, once there is one; of a dead job the last failure. */
  readonly result?: string;
  /** Why it is dead, skipped, cancelled or waiting. */
  readonly reason?: string;
  /** The record of the run that executed it last. */
  readonly run?: string;
}

/** What the queue itself says about a job; kept in English, shown in either language. */
export const REASONS = {
  busy: { en: 'the one before it had not ended', zh: '上一次尚未结束' },
  cancelled: { en: 'cancelled', zh: '已取消' },
  silent: { en: 'its worker went silent', zh: '执行者失去响应' },
} as const satisfies Record<string, Text>;

/** A fence of a job is never given twice: whoever holds it later has a higher one. */
export interface Hold {
  readonly id: string;
  readonly fence: number;
}

export interface ClaimedJob extends Job {
  readonly fence: number;
  /** Names the processes of a worker that went silent; they are to be ended before anything is started. */
  readonly former?: string;
}

export interface ClaimWish {
  readonly worker: string;
  /** Names the processes the worker will start, so that a successor can end them; used for no other claim. */
  readonly tag: string;
  readonly leaseMs: number;
  readonly limit: number;
  /** Absent: it can get any files. */
  readonly digests?: readonly string[];
  readonly labels?: readonly string[];
  /** This job and no other, also before it is due; paused, a busy lane, files and labels count as ever. */
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
  /** Older than this job. */
  readonly before?: string;
}

export interface QueueStats {
  readonly counts: Readonly<Record<JobState, number>>;
  /** Of the oldest job that could run now. */
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
  /** The files it has; absent: any. */
  readonly digests?: readonly string[];
}

/** What jobs in the queue ask of a worker, and how many ask the same. */
export interface JobNeed extends Pick<NewJob, 'digest' | 'labels'> {
  readonly jobs: number;
}

/** Everything is durable when it returns. A database that is locked is waited for, then a Fault says so. */
export interface Queue {
  enqueue(job: NewJob): Awaitable<Enqueued>;
  /** Due jobs, highest priority and oldest first; a job whose lease ran out counts as due again, with one attempt more. */
  claim(wish: ClaimWish): Awaitable<readonly ClaimedJob[]>;
  /**
   * Tags of workers that went silent, whatever became of their jobs.
   * Also takes back what silent workers held, so that nothing waits for a worker with room for another job.
   * Every adapter keeps each one until `cleaned`, so that whoever dies while cleaning loses nothing.
   */
  leftBehind(): Awaitable<readonly string[]>;
  /** Nothing of this tag runs any more. */
  cleaned(tag: string): Awaitable<void>;
  /** Also how a worker learns that its job was cancelled. */
  renew(holds: readonly Hold[], leaseMs: number): Awaitable<readonly Held[]>;
  /** False when the hold is lost: the result is refused. */
  complete(hold: Hold, end: { readonly result: string; readonly run?: string }): Awaitable<boolean>;
  /** Tried again later while it may be, else dead. */
  fail(
    hold: Hold,
    end: { readonly result: string; readonly reason: string; readonly retryable: boolean; readonly run?: string },
  ): Awaitable<Failed>;
  /** A decision is needed first; `retry` lets it go on. */
  suspend(
    hold: Hold,
    end: { readonly result: string; readonly reason: string; readonly run?: string },
  ): Awaitable<boolean>;
  /** Given back untouched, for a worker that is stopping; costs no attempt. */
  release(hold: Hold): Awaitable<boolean>;
  /** A job that runs is cancelled by its worker, at its next beat. */
  cancel(id: string): Awaitable<'cancelled' | 'cancelling' | 'ended' | 'unknown'>;
  /** A dead, cancelled, skipped or waiting job, once more from the first attempt. */
  retry(id: string, delayMs?: number): Awaitable<'queued' | 'active' | 'done' | 'unknown'>;
  find(id: string): Awaitable<Job | undefined>;
  /** Newest first. */
  history(filter: JobFilter): Awaitable<readonly Job[]>;
  stats(): Awaitable<QueueStats>;
  /** Of the jobs that are queued and not kept back by their lane. */
  needs(): Awaitable<readonly JobNeed[]>;
  /** Nothing is claimed while paused; what runs goes on. */
  setPaused(paused: boolean): Awaitable<void>;
  /** Forgets ended jobs older than this, but never the last one of a schedule. */
  prune(olderThanMs: number): Awaitable<number>;
  /** Resolves when there may be work that the last claim did not see, after `ms` at the latest, or when aborted. */
  waitForWork(ms: number, signal: AbortSignal): Promise<void>;
  /** A worker says that it is there. */
  seen(worker: Omit<WorkerSeen, 'seenAt'>): Awaitable<void>;
  /** It ends, and is not missed: only a worker that says nothing went silent. */
  leave(worker: string): Awaitable<void>;
  workers(): Awaitable<readonly WorkerSeen[]>;
  readonly schedules: Schedules;
  close(): Awaitable<void>;
}

/** What is remembered of a schedule: how far it was planned, for which files, and why it stands still. */
export interface ScheduleState {
  readonly id: string;
  /** Fingerprint of how it is written; another one begins anew. */
  readonly written: string;
  /** The files it was enabled for; empty while it follows the latest. */
  readonly digest: string;
  /** Moments up to here are planned. */
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
