// A job that waits for a decision: its question leads back to the job, and the answer waits for whoever runs it next.
import type { Clock } from '../base/clock.ts';
import { sha256 } from '../base/ids.ts';
import { isRecord, type Json } from '../base/json.ts';
import type { Call } from '../invoke/call.ts';
import { type Approvals, approvalKey, createApprovals } from '../policy/approval.ts';
import type { Interrupt, InterruptStore } from '../policy/interrupt.ts';
import { openPrivateFolder } from '../policy/private-folder.ts';

/** As an interrupt of a job keeps it: the question of one call, or of a run of the agent. */
export interface WaitingJob {
  readonly job: string;
  readonly call: Call;
  /** Skills whose lists bind the call beside its own. */
  readonly within: readonly string[];
}

const LIFETIME_MS = 24 * 60 * 60 * 1000;

/** Questions are saved as ever, and say which job they belong to. */
export function questionsOf(job: string, store: InterruptStore): InterruptStore {
  const save = (question: Interrupt) => {
    const { kind, payload } = question;
    const inRun = kind === 'run' && isRecord(payload) ? payload : undefined;
    const call = (inRun?.call ?? payload) as Json;
    store.save({ ...question, kind: 'job', payload: { job, call, within: (inRun?.within ?? []) as Json } });
  };
  return { ...store, save };
}

export function findWaitingJob(store: InterruptStore, question: string): WaitingJob | undefined {
  const saved = store.get(question);
  return saved?.kind === 'job' ? (saved.payload as unknown as WaitingJob) : undefined;
}

/** One approval a job may have on disk, given by `resume`: for this very call, once, whichever process runs the job. */
export function approvalsOf(job: string, place: { home: string; project: string; clock: Clock }): Approvals {
  const folder = openPrivateFolder(place.home, 'approved', place.project);
  const inMemory = createApprovals(place.clock);
  const id = sha256(job);
  return {
    give(subject, scope, by) {
      if (by !== 'resume') return inMemory.give(subject, scope, by);
      const approval = {
        key: approvalKey(subject),
        scope: 'once',
        by,
        expires: place.clock.now() + LIFETIME_MS,
      } as const;
      folder.remove(id);
      folder.add(id, approval);
      return approval;
    },
    take(subject) {
      const given = inMemory.take(subject);
      if (given) return given;
      const { key, expires } = folder.get(id) ?? {};
      if (typeof expires !== 'number' || expires <= place.clock.now() || key !== approvalKey(subject)) return undefined;
      return folder.take(id) ? { key: approvalKey(subject), scope: 'once', by: 'resume', expires } : undefined;
    },
  };
}
