// What a worker is given: its queue, how it executes a job and how a job ends.
import type { Span, Tracer } from '../base/telemetry.ts';
import type { ClaimedJob, Queue } from '../store/queue.ts';

export type JobEnd =
  | { readonly kind: 'done'; readonly result: string; readonly run?: string }
  | { readonly kind: 'waiting'; readonly result: string; readonly reason: string; readonly run?: string }
  /** Nothing of it was begun: another worker may be able to. */
  | { readonly kind: 'unfit'; readonly reason: string }
  | {
      readonly kind: 'failed';
      readonly result: string;
      readonly reason: string;
      readonly retryable: boolean;
      readonly run?: string;
    };

export interface WorkPlace {
  /** Carried by every process of the job. */
  readonly tag: string;
  /** Aborted when the job was cancelled, its lease lost, or the worker has no more time. */
  readonly signal: AbortSignal;
  /** What everything the job does hangs below. */
  readonly tracer?: Tracer;
}

/** A job that is watched while it runs: its log lines carry the ids of its span. */
export interface Followed {
  readonly span: Span;
  left(how: Left): void;
}

/** How a job left this worker. */
export type Left = 'done' | 'failed' | 'retrying' | 'waiting' | 'cancelled' | 'lost' | 'released';

export type WorkLog = (event: string, facts: Readonly<Record<string, unknown>>) => void;

export interface Workshop {
  readonly queue: Queue;
  readonly worker: string;
  readonly leaseMs: number;
  /** Never throws. */
  execute(job: ClaimedJob, place: WorkPlace): Promise<JobEnd>;
  /** Ends what a worker that went silent has left running; false where that is not to be seen from here. */
  endProcesses(tag: string): Promise<boolean>;
  readonly labels?: readonly string[];
  /** The files this machine has now; absent: any. */
  digests?(): Promise<readonly string[]>;
  readonly log: WorkLog;
  /** Absent where nothing is watched. */
  follow?(job: ClaimedJob): Followed;
}
