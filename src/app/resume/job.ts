// The answer to a job's question: kept on this machine, where the job is queued again and run, by a worker if one is faster.
import { hostname } from 'node:os';
import { Fault } from '../../base/errors.ts';
import { sameInAll } from '../../base/language.ts';
import type { Outcome } from '../../base/outcome.ts';
import { visible } from '../../base/text.ts';
import { fail, nameFault } from '../../door/fail.ts';
import { answerQuestion, deniedAnswer, type SavedAnswer } from '../../door/resume.ts';
import { allowanceOf } from '../../door/work.ts';
import { isAlive, whyNobody } from '../../jobs/able.ts';
import { payloadIfOurs } from '../../jobs/payload.ts';
import { HEAD_START_MS, runHere } from '../../jobs/run-here.ts';
import type { WaitingJob } from '../../jobs/waiting.ts';
import type { WorkerDeps } from '../../jobs/worker.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import type { Job, Queue } from '../../store/queue.ts';
import { openJobDoor } from '../job/execute-job.ts';
import { installedIn } from '../job/installed.ts';
import { openWorkerDeps, type WithStop, withJobQueue } from '../job/open-jobs.ts';
import { openRoleFiles } from '../job/role-files.ts';
import type { Runtime } from '../runtime.ts';
import { outcomeOf } from '../view/jobs.ts';

export async function resumeJob(
  waiting: WaitingJob,
  answer: SavedAnswer,
  withStop: WithStop,
  runtime: Runtime,
): Promise<Outcome> {
  return await withJobQueue(runtime, async (queue) => {
    try {
      return await answerJob({ waiting, answer, withStop }, runtime, queue);
    } catch (error) {
      return fail(runtime.answering('jobs', 'call'), nameFault(error));
    }
  });
}

interface JobAnswer {
  readonly waiting: WaitingJob;
  readonly answer: SavedAnswer;
  readonly withStop: WithStop;
}

async function answerJob({ waiting, answer, withStop }: JobAnswer, runtime: Runtime, queue: Queue): Promise<Outcome> {
  const job = await queue.find(waiting.job);
  if (!job) throw new Fault('DataNotFound', visible(waiting.job));
  // A yes must not bring back what was cancelled, nor run once more what has run.
  if (job.state !== 'waiting') throw noLongerWaiting(job);
  const deps = openWorkerDeps(runtime, queue, () => {}, {
    files: openRoleFiles(runtime, () => installedFor(job, runtime)),
  });
  await requireAble(job, deps, runtime);
  const door = await openJobDoor(runtime, job);
  const within = waiting.within.map((name) => allowanceOf(door.resolve(name)));
  const { isApproved } = await answerQuestion(answer, waiting.call, door.derive({ within }));
  if (!isApproved) {
    await queue.cancel(job.id);
    throw deniedAnswer(sameInAll(visible(job.target)), answer.reason);
  }
  // The yes lies on this machine: others get the job only if this one dies, and ask again.
  await queue.retry(job.id, HEAD_START_MS);
  const ended = await withStop((signal) => runHere(job.id, deps, signal));
  return outcomeOf(ended, runtime.answering('jobs', 'call'));
}

/** Not of its role: looked at beside the files of roles. */
function installedFor({ payload }: Job, runtime: Runtime): SkillEntry[] {
  const target = payloadIfOurs(payload);
  const skill = target && 'skill' in target ? installedIn(runtime)(target.skill) : undefined;
  return skill ? [skill] : [];
}

/** An answer counts where it is given: somebody there must be able to take the job. */
async function requireAble(job: Job, { queue, labels = [], digests }: WorkerDeps, { clock }: Runtime): Promise<void> {
  const now = clock.now();
  const workers = (await queue.workers()).filter((worker) => worker.host === hostname() && isAlive(worker, now));
  const own = await digests?.();
  const why = whyNobody(job, [{ labels, ...(own && { digests: own }) }, ...workers]);
  if (!why) return;
  throw new Fault(
    'DataNotFound',
    {
      en: `an answer counts on the machine where it is given, and on this one ${why.en}`,
      zh: `决定只在作出决定的机器上有效，而本机 ${why.zh}`,
    },
    {
      hint: {
        en: 'Answer it where the job can run, or `skillwright jobs cancel`.',
        zh: '请在可运行该任务的机器上作答，或使用 `skillwright jobs cancel`。',
      },
    },
  );
}

function noLongerWaiting({ target, state }: Job): Fault {
  const what = visible(target);
  return new Fault('DataNotFound', {
    en: `${what} does not wait for an answer: it is ${state}`,
    zh: `${what} 不在等待决定: 状态为 ${state}`,
  });
}
