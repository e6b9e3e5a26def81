// What waits for the answer to a saved question: a run of the agent, a job, or one call.
import { findWaitingJob, type WaitingJob } from '../../jobs/waiting.ts';
import { openProjectInterrupts } from '../open-interrupts.ts';
import { findWaitingRun, type WaitingRun } from '../run/question.ts';
import type { Runtime } from '../runtime.ts';

export type WaitingWork =
  | { readonly kind: 'run'; readonly run: WaitingRun }
  | { readonly kind: 'job'; readonly job: WaitingJob }
  | { readonly kind: 'call' };

export async function findWaiting(question: string, runtime: Runtime): Promise<WaitingWork> {
  const saved = await openProjectInterrupts(runtime).get(question);
  const run = await findWaitingRun(saved);
  if (run) return { kind: 'run', run };
  const job = await findWaitingJob(saved);
  return job ? { kind: 'job', job } : { kind: 'call' };
}
