// The answer to a job's question: kept for whoever runs the job, which is queued again and run here unless a worker is faster.
import { Fault } from '../base/errors.ts';
import type { Outcome } from '../base/outcome.ts';
import { visible } from '../base/text.ts';
import { openJobDoor } from '../execute-job.ts';
import { fail, nameFault } from '../invoke/fail.ts';
import { answerQuestion } from '../invoke/resume.ts';
import { allowanceOf } from '../invoke/work.ts';
import { HEAD_START_MS, runHere } from '../jobs/run-here.ts';
import type { WaitingJob } from '../jobs/waiting.ts';
import { openJobQueue, openWorkshop } from '../open-jobs.ts';
import type { Runtime } from '../runtime.ts';
import type { Job, Queue } from '../store/queue.ts';
import { outcomeOf } from './jobs-view.ts';
import { stopOnSignal } from './stop-on-signal.ts';

interface Answer {
  readonly question: string;
  readonly words: readonly string[];
  /** What it goes on with lies on this machine: others get it only if this one dies. */
  readonly headStart: boolean;
}

export async function resumeJob(waiting: WaitingJob, answer: Answer, runtime: Runtime): Promise<Outcome> {
  const queue = await openJobQueue(runtime);
  try {
    return await answerJob(waiting, answer, runtime, queue);
  } catch (error) {
    return fail(runtime.answering('jobs', 'call'), nameFault(error));
  } finally {
    await queue.close();
  }
}

async function answerJob(waiting: WaitingJob, answer: Answer, runtime: Runtime, queue: Queue): Promise<Outcome> {
  const job = await queue.find(waiting.job);
  if (!job) throw new Fault('DataNotFound', visible(waiting.job));
  // A yes must not bring back what was cancelled, nor run once more what has run.
  if (job.state !== 'waiting') throw noLongerWaiting(job);
  const door = await openJobDoor(runtime, job);
  const within = [...(door.within ?? []), ...waiting.within.map((name) => allowanceOf(door.resolve(name)))];
  const isApproved = await answerQuestion(answer.question, answer.words, waiting.call, { ...door, within });
  if (!isApproved) {
    await queue.cancel(job.id);
    throw new Fault('ApprovalDenied', visible(job.target));
  }
  await queue.retry(job.id, answer.headStart ? HEAD_START_MS : 0);
  const stopping = stopOnSignal(() => {});
  try {
    const shop = openWorkshop(runtime, queue, () => {});
    return outcomeOf(await runHere(job.id, { ...shop, signal: stopping.stop }), runtime.answering('jobs', 'call'));
  } finally {
    stopping.release();
  }
}

function noLongerWaiting({ target, state }: Job): Fault {
  const what = visible(target);
  return new Fault('DataNotFound', {
    en: `${what} does not wait for an answer: it is ${state}`,
    zh: `${what} 不在等待决定: 状态为 ${state}`,
  });
}
