// The answer to a saved question, and what was waiting for it goes on: a run of the agent, a job, or one call.
import type { Outcome } from '../../base/outcome.ts';
import { findWaitingJob } from '../../jobs/waiting.ts';
import type { WithStop } from '../job/open-jobs.ts';
import type { OpenDoor } from '../open-door.ts';
import { openProjectInterrupts } from '../open-interrupts.ts';
import { answerRun, findWaitingRun, type RunOrder } from '../run/open-run.ts';
import type { Runtime } from '../runtime.ts';
import { type QuestionAnswer, resumeQuestion, type WithTaskHost } from './question.ts';

/** Who watches, who may be asked and what stops it, for each thing that can be waiting. */
export interface ResumeDrivers {
  run(goOn: (order: RunOrder) => Promise<Outcome>): Promise<Outcome>;
  readonly job: WithStop;
  call(goOn: (door: OpenDoor) => Promise<Outcome>): Promise<Outcome>;
  readonly withTaskHost: WithTaskHost;
}

export interface Resumed {
  /** What was waiting. */
  readonly kind: 'run' | 'job' | 'call';
  readonly outcome: Outcome;
}

export async function resume(answer: QuestionAnswer, drivers: ResumeDrivers, runtime: Runtime): Promise<Resumed> {
  const saved = await openProjectInterrupts(runtime).get(answer.question);
  const run = findWaitingRun(saved);
  if (run) return { kind: 'run', outcome: await drivers.run((order) => answerRun(runtime, run, answer, order)) };
  const job = findWaitingJob(saved);
  if (job) {
    const { resumeJob } = await import('./job.ts');
    return { kind: 'job', outcome: await resumeJob(job, answer, drivers.job, runtime) };
  }
  const { withTaskHost } = drivers;
  return {
    kind: 'call',
    outcome: await drivers.call((door) => resumeQuestion(answer, door, withTaskHost, runtime)),
  };
}
