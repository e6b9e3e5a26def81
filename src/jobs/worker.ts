// The dependencies of a worker: its queue, how it executes a job and how a job ends.
import type { Span, Tracer } from '../base/telemetry.ts';
import type { ClaimedJob, Queue } from '../store/queue.ts';

export type JobEnd =
  | { readonly kind: 'done'; readonly result: string; readonly run?: string }
  | { readonly kind: 'waiting'; readonly result: string; readonly reason: string; readonly run?: string }
  /** Nothing was started: another worker may be able to run it. */
  | { readonly kind: 'unfit'; readonly reason: string }
  | {
      readonly kind: 'failed';
      readonly result: string;
      readonly reason: string;
      readonly retryable: boolean;
      readonly run?: string;
    };

export interface WorkPlace {
  /** Set on every process of the job. */
  readonly tag: string;
  /** Aborted when the job was cancelled, its lease lost, or the worker's drain time is over. */
  readonly signal: AbortSignal;
  /** The parent span of everything the job does. */
  readonly tracer?: Tracer;
}

/** A job traced while it runs: its log lines carry the ids of its span. */
export interface Followed {
  readonly span: Span;
  left(how: Left): void;
}

/** How a job left this worker. */
export type Left = 'done' | 'failed' | 'retrying' | 'waiting' | 'cancelled' | 'lost' | 'released';

export type WorkLog = (event: string, facts: Readonly<Record<string, unknown>>) => void;

export interface WorkerDeps {
  readonly queue: Queue;
  readonly worker: string;
  readonly leaseMs: number;
  /** Never throws. */
  execute(job: ClaimedJob, place: WorkPlace): Promise<JobEnd>;
  /** Ends the processes of a crashed worker; false where this host cannot see them. */
  endProcesses(tag: string): Promise<boolean>;
  readonly labels?: readonly string[];
  /** Digests of the files this machine has now; absent: any. */
  digests?(): Promise<readonly string[]>;
  readonly log: WorkLog;
  /** Absent without telemetry. */
  follow?(job: ClaimedJob): Followed;
}
