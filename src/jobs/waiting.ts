// A job that waits for a decision: its question leads back to the job, and the answer waits where it was given.
import type { Clock } from '../base/clock.ts';
import { isRecord, type Json } from '../base/json.ts';
import type { Call } from '../door/call.ts';
import { type Approvals, approvalKey, createApprovals } from '../policy/approval.ts';
import type { KeptApprovals } from '../policy/interrupt/file.ts';
import type { Interrupt, InterruptStore } from '../store/interrupt-store.ts';

/** As an interrupt of a job keeps it: the question of one call, or of a run of the agent. */
export interface WaitingJob {
  readonly job: string;
  readonly call: Call;
  /** Skills whose lists bind the call beside its own. */
  readonly within: readonly string[];
}

const LIFETIME_MS = 24 * 60 * 60 * 1000;

/** Questions are saved as ever, and say which job they belong to. That of a run goes on where the record of the run lies. */
export function questionsOf(job: string, store: InterruptStore): InterruptStore {
  const save = (question: Interrupt) => {
    const { kind, payload } = question;
    const inRun = kind === 'run' && isRecord(payload) ? payload : undefined;
    const call = (inRun?.call ?? payload) as Json;
    const within = (inRun?.within ?? []) as Json;
    return store.save({ ...question, kind: 'job', payload: { job, call, within }, roams: inRun === undefined });
  };
  return { ...store, save };
}

export function findWaitingJob(saved: Interrupt | undefined): WaitingJob | undefined {
  return saved?.kind === 'job' ? (saved.payload as unknown as WaitingJob) : undefined;
}

/** One approval a job may have that outlasts a process, given by `resume`: for this very call, once, on this machine. */
export function approvalsOf(job: string, kept: KeptApprovals, clock: Clock): Approvals {
  const inMemory = createApprovals(clock);
  return {
    give: (subject, scope, by) =>
      by === 'resume' ? kept.give(job, approvalKey(subject), LIFETIME_MS) : inMemory.give(subject, scope, by),
    take(subject) {
      const given = inMemory.take(subject);
      if (given) return given;
      const key = approvalKey(subject);
      return kept.take(job, key) ? { key, scope: 'once', by: 'resume', expires: clock.now() + LIFETIME_MS } : undefined;
    },
  };
}
