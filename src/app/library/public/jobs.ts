// Jobs and schedules as a program sees them. Types only: they are public.
import type { JobState } from '../../../store/queue.ts';
import type { CallOptions } from './options.ts';
import type { CallOutcome } from './outcome.ts';
import type { Params } from './result.ts';

/** A job of the queue. */
export interface JobInfo {
  readonly id: string;
  /** What it does, in a name. */
  readonly target: string;
  readonly role: string | null;
  readonly state: JobState;
  readonly attempts: number;
  /** As ISO 8601. */
  readonly created: string;
  readonly started: string | null;
  readonly ended: string | null;
  readonly schedule: string | null;
  /** The record of the run that executed it last. */
  readonly runId: string | null;
  /** Why it failed, waits, or was skipped. */
  readonly reason: string | null;
}

/** A schedule of a role. */
export interface ScheduleInfo {
  readonly id: string;
  readonly does: string;
  /** Whether it is on, and if not, who or what says so. */
  readonly state: string;
  /** As ISO 8601; null while it is off. */
  readonly next: string | null;
  /** What keeps it from running, in sentences. */
  readonly troubles: readonly string[];
}

/** Which jobs are listed. */
export interface JobsWish {
  readonly role?: string;
  readonly schedule?: string;
  readonly states?: readonly JobState[];
  readonly limit?: number;
  /** Older than this job. */
  readonly before?: string;
}

/** How a job is queued and tried. */
export interface JobOptions extends Pick<CallOptions, 'signal' | 'onEvent' | 'timeout'> {
  /** The same key is the same job. */
  readonly key?: string;
  /** How often it is tried again. */
  readonly retries?: number;
  /** Only queue it: whoever works on jobs runs it. */
  readonly detach?: boolean;
  /** Machines that may run it have these labels. */
  readonly labels?: readonly string[];
}

/** What a job brought, with its place in the queue. */
export interface JobResult {
  readonly jobId: string;
  readonly state: string;
  /** What the skill answered, where it did. */
  readonly data: unknown;
}

/** How this process works on jobs. */
export interface WorkOptions {
  /** Ends it after what is under way. */
  readonly signal: AbortSignal;
  /** How many jobs at once; 2 unless given. */
  readonly workers?: number;
  readonly labels?: readonly string[];
  /** What it does, as `start` logs it. */
  readonly onLog?: (event: string, facts: Readonly<Record<string, unknown>>) => void;
}

/**
 * The queue and the schedules of the project.
 * @example
 * await sw.jobs.run('analyst/build_analysis', 'daily_briefing', {}, { retries: 2 });
 */
export interface Jobs {
  /** The newest first; 50 unless said otherwise. */
  list(wish?: JobsWish): Promise<JobInfo[]>;
  schedules(): Promise<ScheduleInfo[]>;
  /** By its id, or `latest`. Throws a Fault where there is none. */
  show(id: string): Promise<JobInfo>;
  /** An action of a skill or `role/skill`, or a schedule without an action, now and on grants alone: nobody is asked. */
  run(target: string, action?: string, params?: Params, options?: JobOptions): Promise<CallOutcome<JobResult>>;
  /** What became of it, in a word. */
  cancel(id: string): Promise<string>;
  retry(id: string): Promise<string>;
  enable(schedule: string): Promise<void>;
  disable(schedule: string, reason?: string): Promise<void>;
  /** Schedules and queued jobs, until the signal; how many jobs ran. Throws a Fault where the folder is not trusted. */
  work(options: WorkOptions): Promise<{ readonly ran: number }>;
}
