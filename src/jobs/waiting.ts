// A job that waits for a decision: its question refers to the job, and the approval is kept on the machine that gave it.
import type { Clock } from '../base/clock.ts';
import { isRecord, isTextList } from '../base/json.ts';
import type { Call } from '../door/call.ts';
import { type Approvals, approvalKey, createApprovals } from '../policy/approval.ts';
import type { KeptApprovals } from '../policy/interrupt/file.ts';
import { damagedQuestion } from '../policy/interrupt/not-decided.ts';
import { type Interrupt, type InterruptStore, savingBy } from '../store/interrupt-store.ts';

/** The payload of a job's interrupt: the question of one call, or of an agent run. */
export interface WaitingJob {
  readonly job: string;
  readonly call: Call;
  /** Skills whose allow lists restrict the call, besides its own. */
  readonly within: readonly string[];
}

const LIFETIME_MS = 24 * 60 * 60 * 1000;

/** Saved like other questions, with the id of the job. The question of a run can be resumed only where its record is. */
export function questionsOf(job: string, store: InterruptStore): InterruptStore {
  const save = (question: Interrupt) => {
    const { kind, payload } = question;
    const inRun = kind === 'run' && isRecord(payload) ? payload : undefined;
    const call = inRun?.call ?? payload;
    const within = inRun?.within ?? [];
    return store.save({ ...question, kind: 'job', payload: { job, call, within }, roams: inRun === undefined });
  };
  return savingBy(save, store);
}

/** Throws a Fault when the question is one of a job, and cannot be read. */
export async function findWaitingJob(saved: Interrupt | undefined): Promise<WaitingJob | undefined> {
  if (saved?.kind !== 'job') return undefined;
  const { isCall } = await import('../door/saved-call.ts');
  const { job, call, within } = isRecord(saved.payload) ? saved.payload : {};
  if (typeof job === 'string' && isCall(call) && isTextList(within)) return { job, call, within };
  throw damagedQuestion(saved.id);
}

/** The one approval that outlasts a process, given by `resume`: for exactly this call, once, on this machine. */
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
