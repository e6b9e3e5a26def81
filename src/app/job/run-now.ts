// One action of a skill, or what a schedule does, now: checked, queued, and run here while somebody waits for it.
import { Fault } from '../../base/errors.ts';
import type { Answering, Outcome } from '../../base/outcome.ts';
import { readTraceparent } from '../../base/telemetry.ts';
import { visible } from '../../base/text.ts';
import { VERSION } from '../../base/version.ts';
import { isAlive, whyNobody } from '../../jobs/able.ts';
import { checkOrder, failAsJob, requireRole } from '../../jobs/executor.ts';
import type { JobTarget } from '../../jobs/payload.ts';
import { digestOfTarget } from '../../jobs/pin.ts';
import { FOREGROUND_PRIORITY, HEAD_START_MS, runHere } from '../../jobs/run-here.ts';
import { NO_ROLE } from '../../jobs/target-skill.ts';
import type { Model } from '../../model/model.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import { findRole } from '../../registry/role/role.ts';
import { digestSkill } from '../../skill/digest.ts';
import type { Job, NewJob, Queue } from '../../store/queue.ts';
import { missingAction } from '../missing-action.ts';
import { type OpenDoor, openDoor } from '../open-door.ts';
import type { Runtime } from '../runtime.ts';
import { typeParams, type WrittenParams } from '../skill/params.ts';
import { findSchedule, outcomeOf } from '../view/jobs.ts';
import { installedIn } from './installed.ts';
import { newJob, openWorkerDeps, targetOf, type WithStop, withJobQueue } from './open-jobs.ts';
import { withEnvironments } from './pinned-environments.ts';
import { openRoleFiles, type RoleFiles } from './role-files.ts';

export interface JobWish {
  /** As it was asked for, for the record. */
  readonly request: string;
  /** An installed skill or role/skill with an action, or a schedule. */
  readonly target: string;
  readonly action?: string | undefined;
  /** Reads the parameters as the action declares them. */
  readonly params: WrittenParams;
  /** How often to try again. */
  readonly retries: number;
  /** Less time than the skill has. */
  readonly timeoutMs?: number | undefined;
  readonly labels: readonly string[];
  /** The same key is the same job. */
  readonly key?: string | undefined;
  /** Only with the files as they are now. */
  readonly pin: boolean;
  /** Only queue it. */
  readonly detach: boolean;
  /** Allows in advance what would be asked. */
  readonly yes: boolean;
  readonly model?: string | undefined;
  /** Another model than any of those; for whoever runs jobs from code. */
  readonly given?: Model | undefined;
}

export interface RanJob {
  readonly outcome: Outcome;
  /** The id of the job where it only waits in the queue. */
  readonly queued?: string;
}

/** Throws a Fault of the type Usage where the wish itself is wrong; every other end is an outcome. */
export async function runJobNow(wish: JobWish, withStop: WithStop, runtime: Runtime): Promise<RanJob> {
  runtime.requireConfig();
  const door = openDoor(runtime, { kind: 'job', request: wish.request, version: VERSION });
  try {
    const { role, target } = await findOrdered(wish, door, runtime);
    const skill = 'skill' in target ? await checkTarget(role, target, door) : undefined;
    return await withJobQueue(runtime, async (queue) => {
      const installed = () => skill;
      const digest = wish.pin ? await digestOfTarget(runtime.project, role, target, { installed }) : undefined;
      const { labels, timeoutMs } = wish;
      const retry = { limit: wish.retries, delayMs: 1_000, maxMs: 60_000 };
      const seconds = skill?.manifest.timeout;
      const named = withEnvironments(target, skill, digest, runtime);
      const job = newJob({ role, target: named, labels, retry, timeoutMs, seconds }, runtime);
      const pinned = { ...job, ...(digest !== undefined && { digest }) };
      const files = openRoleFiles(runtime, () => (skill && !skill.ofRole ? [skill] : []));
      return await enqueueAndRun(pinned, wish, { queue, withStop, runtime, files });
    });
  } catch (error) {
    if (error instanceof Fault && error.type === 'Usage') throw error;
    return { outcome: failAsJob(error, door, wish.target) };
  }
}

async function checkTarget(role: string, target: SkillJob, door: OpenDoor): Promise<SkillEntry> {
  const { skill: skill_name, action, params } = target;
  const { skill } = await checkOrder({ agent_role: role, skill_name, action, params }, door, door.context);
  // Files that cannot belong to a skill are refused before anything is queued.
  digestSkill(skill);
  return skill;
}

type SkillJob = Exclude<JobTarget, { readonly prompt: string }>;

interface Ordered {
  /** NO_ROLE for an installed skill that is named alone. */
  readonly role: string;
  readonly target: JobTarget;
}

async function findOrdered({ target, action, params }: JobWish, door: OpenDoor, runtime: Runtime): Promise<Ordered> {
  const { project } = runtime;
  const [roleName = '', skill = '', ...rest] = target.split('/');
  if (target === '' || rest.length > 0 || target.endsWith('/')) throw notATarget(target);
  if (skill === '' || !(await hasRole(project, roleName, target, runtime)))
    return await installedOrder({ target, action, params }, door, runtime);
  const role = await requireRole(project, roleName);
  if (action === undefined) {
    const isSkill = role.skills.some(({ name }) => name === skill) && !role.schedule.some(({ id }) => id === skill);
    if (isSkill) throw await missingAction(target, undefined, runtime);
    return { role: role.name, target: targetOf(await findSchedule(project, target)) };
  }
  const typed = await typeParams(params, { skill: target, action }, door);
  return { role: role.name, target: { skill, action, params: typed } };
}

/** `org/name` is an installed skill where there is no role of that name. */
async function hasRole(project: string, role: string, written: string, runtime: Runtime): Promise<boolean> {
  return (await findRole(project, role)) !== undefined || installedIn(runtime)(written) === undefined;
}

/** An installed skill that is named alone: an action of it, or what its command does. */
async function installedOrder(
  { target, action, params }: Pick<JobWish, 'target' | 'action' | 'params'>,
  door: OpenDoor,
  runtime: Runtime,
): Promise<Ordered> {
  if (action === undefined && !installedIn(runtime)(target)) throw notATarget(target);
  const { kind } = door.resolve(target);
  if (action === undefined && kind !== 'command') throw await missingAction(target, undefined, runtime);
  const named = { skill: target, action: action ?? '' };
  return { role: NO_ROLE, target: { ...named, params: await typeParams(params, named, door) } };
}

interface JobPlace {
  readonly queue: Queue;
  readonly withStop: WithStop;
  readonly runtime: Runtime;
  readonly files: RoleFiles;
}

async function enqueueAndRun(
  job: NewJob,
  wish: JobWish,
  { queue, withStop, runtime, files }: JobPlace,
): Promise<RanJob> {
  const { key, detach, yes, model, given } = wish;
  const isElsewhere = job.labels?.some((label) => !runtime.config.labels.includes(label)) === true;
  if (isElsewhere && !detach) await requireWorker(job, queue, runtime);
  const traceparent = callerOf(runtime.env);
  const added = await queue.enqueue({
    ...job,
    // What `yes` allows is allowed to this process only, so other workers come later.
    ...(!detach && { priority: FOREGROUND_PRIORITY, ...(!isElsewhere && { delayMs: HEAD_START_MS }) }),
    ...(key !== undefined && { key }),
    ...(traceparent && { traceparent }),
  });
  if (added.state === 'conflict') throw new Fault('IdempotencyConflict', visible(key ?? ''));
  const by = runtime.answering('jobs', 'call');
  if (detach) {
    const queued = await queue.find(added.id);
    if (queued) return ranJob(queued, by);
  }
  return await withStop(async (signal) => {
    const deps = openWorkerDeps(runtime, queue, () => {}, { yes, model, files, ...(given && { given }) });
    return ranJob(await runHere(added.id, deps, signal), by);
  });
}

function ranJob(job: Job, by: Answering): RanJob {
  return { outcome: outcomeOf(job, by), ...(job.state === 'queued' && { queued: job.id }) };
}

/** Somebody waits for the result: without a worker that can take the job it would be for nothing. */
async function requireWorker(job: NewJob, queue: Queue, { clock }: Runtime): Promise<void> {
  const alive = (await queue.workers()).filter((worker) => isAlive(worker, clock.now()));
  const why = whyNobody(job, alive);
  if (!why) return;
  throw new Fault('Usage', why, {
    hint: { en: '--detach queues it until there is one.', zh: '--detach 将其入队，直到有执行者可用。' },
  });
}

/** Whatever worker runs it goes on with the caller's trace. */
function callerOf({ TRACEPARENT }: Runtime['env']): string | undefined {
  return readTraceparent(TRACEPARENT) && TRACEPARENT;
}

function notATarget(written: string): Fault {
  const shown = visible(written);
  return new Fault('Usage', {
    en: `${shown} names no job: write a skill or role/skill and an action, or a schedule of \`jobs list\``,
    zh: `${shown} 不是任务: 请写 技能 或 角色/技能 与操作，或 \`jobs list\` 中的定时任务`,
  });
}
