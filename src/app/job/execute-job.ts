// Does what a job of the queue says, and says how it ended: an action through the door, a prompt as a run of the agent.

import { hasRun } from '../../audit/run-folder.ts';
import { Fault } from '../../base/errors.ts';
import { parseOutcome, storedText } from '../../base/flat-outcome.ts';
import type { Outcome } from '../../base/outcome.ts';
import { visible } from '../../base/text.ts';
import type { Digest } from '../../base/value/digest.ts';
import { VERSION } from '../../base/version.ts';
import { fail, nameFault } from '../../door/fail.ts';
import { checkOrder, JOB_SPEAKER, performSkill, requireRole } from '../../jobs/executor.ts';
import { type JobTarget, readPayload } from '../../jobs/payload.ts';
import type { SkillOrder } from '../../jobs/skill-order.ts';
import { NO_ROLE } from '../../jobs/target-skill.ts';
import { approvalsOf, questionsOf } from '../../jobs/waiting.ts';
import type { JobEnd, WorkPlace } from '../../jobs/worker.ts';
import type { Model } from '../../model/model.ts';
import type { Approvals } from '../../policy/approval.ts';
import { openKeptApprovals } from '../../policy/interrupt/file.ts';
import { roleAllowance } from '../../policy/role.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import { findRole } from '../../registry/role/role.ts';
import { boundDigest, skillOfRole } from '../../registry/role/skill.ts';
import type { Job } from '../../store/queue.ts';
import { type DoorOptions, type OpenDoor, openDoor } from '../open-door.ts';
import { openProjectInterrupts } from '../open-interrupts.ts';
import { wantedRole, withSkillsOf } from '../run/as-role.ts';
import type { Runtime } from '../runtime.ts';
import { concludeChanges } from '../workspace/conclude.ts';
import { installedIn } from './installed.ts';
import { folderFor, type RoleFiles } from './role-files.ts';

/** How a worker that runs many jobs remembers the digests of their files. */
type Remembers = { readonly digestOf?: RoleFiles['digestOf'] };

export interface JobWishes extends Pick<DoorOptions, 'yes' | 'onProgress'> {
  /** For prompts; the settings decide without it. */
  readonly model?: string | undefined;
  /** Another model than any of those; for whoever drives jobs from code. */
  readonly given?: Model;
}

/** Beyond its own limit a job is ended from outside. */
const GRACE_MS = 15_000;
/** What the queue keeps of an outcome; the record of the run holds the rest. */
const RESULT_LIMIT = 256 * 1024;

/** Never throws. */
export async function executeJob(
  runtime: Runtime,
  job: Job,
  { tag, signal, tracer }: WorkPlace,
  { digestOf, ...wishes }: JobWishes & Remembers = {},
): Promise<JobEnd> {
  const startedAt = runtime.clock.now();
  try {
    const target = readPayload(job.payload);
    const files = await folderFor(runtime, job, target, { digestOf, installed: installedIn(runtime) });
    if (files === undefined) return NOT_HERE;
    const pin = holdPin(job);
    const limit = AbortSignal.any([signal, AbortSignal.timeout(job.timeoutMs + GRACE_MS)]);
    const door = { ...doorOfJob(runtime, job.id), ...(await rolesFrom(files, runtime, job)), ...wishes, tag, tracer };
    const done =
      'prompt' in target
        ? await runPrompt(runtime, job, target.prompt, { ...door, abort: limit })
        : await runAction(runtime, job, target, { ...door, checkFiles: pin.check, signal: limit });
    return pin.isBroken() ? NOT_HERE : toEnd(done.outcome, done.run);
  } catch (error) {
    return toEnd(fail(runtime.answering('jobs', JOB_SPEAKER.surface, startedAt), nameFault(error)));
  }
}

const NOT_HERE: JobEnd = { kind: 'unfit', reason: 'the files it is pinned to are not here' };

/** Compared with the very digest that is decided on and executed: files may change after the job was taken. */
function holdPin({ digest, target }: Job) {
  let isBroken = false;
  return {
    check(skill: SkillEntry, found: Digest): void {
      isBroken = digest !== undefined && boundDigest(skill, found) !== digest;
      if (isBroken) throw new Fault('IntegrityMismatch', visible(target));
    },
    isBroken: () => isBroken,
  };
}

/** The door of a job, as whoever answers its questions has to build it again. */
export async function openJobDoor(runtime: Runtime, job: Job): Promise<OpenDoor> {
  const target = readPayload(job.payload);
  const found = await folderFor(runtime, job, target, { installed: installedIn(runtime) });
  const files = found ?? runtime.project;
  const role = job.role === NO_ROLE ? undefined : await requireRole(files, job.role);
  const door = openDoor(role ? withSkillsOf(role, runtime) : runtime, {
    ...(await rolesFrom(files, runtime, job)),
    kind: 'job',
    request: job.target,
    version: VERSION,
    context: contextOf(job),
    approvals: approvalsHere(runtime, job.id),
    ...(role && 'prompt' in target && { role: roleAllowance(role) }),
  });
  const isInstalled = role && 'skill' in target && !skillOfRole(role, target.skill);
  return isInstalled ? door.derive({ within: [roleAllowance(role)] }) : door;
}

function doorOfJob(runtime: Runtime, job: string): Pick<DoorOptions, 'interrupts' | 'approvals' | 'version'> {
  return {
    version: VERSION,
    interrupts: questionsOf(job, openProjectInterrupts(runtime)),
    approvals: approvalsHere(runtime, job),
  };
}

/** Under home, wherever the queue is: whoever can write to a shared one must not be able to say yes. */
function approvalsHere({ home, project, clock }: Runtime, job: string): Approvals {
  return approvalsOf(job, openKeptApprovals(home, project, clock), clock);
}

interface Done {
  readonly outcome: Outcome;
  readonly run?: string | undefined;
}

async function runAction(
  runtime: Runtime,
  job: Job,
  target: Exclude<JobTarget, { prompt: string }>,
  options: Omit<DoorOptions, 'kind' | 'request'>,
): Promise<Done> {
  const context = contextOf(job);
  const door = openDoor(runtime, { ...options, kind: 'job', request: job.target, context });
  const { skill, action, params } = target;
  const timeout = job.timeoutMs / 1000;
  const order = { agent_role: job.role, skill_name: skill, action, params, timeout };
  const missing = await packagesFor(target, order, door, runtime, { ...options, request: job.target, context });
  if (missing) return { outcome: missing };
  const outcome = await concludeChanges(await performSkill(order, door, context), door, runtime);
  door.finish(outcome);
  return { outcome, run: door.recorded()?.id };
}

/** Undefined where the packages it names are here, built just now where they were not. */
async function packagesFor(
  { environments = [] }: Extract<JobTarget, { skill: string }>,
  order: SkillOrder,
  door: OpenDoor,
  runtime: Runtime,
  { within: _, ...options }: Omit<DoorOptions, 'kind'>,
): Promise<Outcome | undefined> {
  if (environments.length === 0) return undefined;
  const { buildMissing } = await import('./pinned-environments.ts');
  const { skill } = await checkOrder(order, door, door.context);
  return await buildMissing(environments, skill, runtime, { ...options, kind: 'prepare' });
}

/** A run of the agent as this role; one that waited for a decision goes on where it was, if its record is on this machine. */
async function runPrompt(
  runtime: Runtime,
  job: Job,
  text: string,
  options: Pick<DoorOptions, 'version' | 'tracer' | 'roles' | 'within'> & JobWishes & { readonly abort: AbortSignal },
): Promise<Done> {
  const [{ resumeRequest }, { runRequest }] = await Promise.all([
    import('../run/resume.ts'),
    import('../run/start.ts'),
  ]);
  const role = await requireRole(options.roles ?? runtime.project, job.role);
  const withSkills = withSkillsOf(role, runtime);
  const order = {
    ...options,
    requestId: job.id,
    budget: { seconds: job.timeoutMs / 1000 },
    role: wantedRole(role),
  };
  const outcome =
    job.run !== undefined && isWaiting(job) && hasRun(runtime.project, job.run)
      ? await resumeRequest(withSkills, job.run, order)
      : await runRequest(withSkills, { text }, order);
  return { outcome, run: outcome.run?.id };
}

function contextOf({ id, role }: Job) {
  return { request_id: id, ...(role !== NO_ROLE && { agent_id: role }) };
}

/** A role that was fetched cannot use what the role of this project may not. */
async function rolesFrom(
  files: string,
  { project }: Runtime,
  { role }: Job,
): Promise<Pick<DoorOptions, 'roles' | 'within'>> {
  if (files === project || role === NO_ROLE) return {};
  const own = await findRole(project, role);
  return { roles: files, ...(own && { within: [roleAllowance(own)] }) };
}

function isWaiting({ result }: Job): boolean {
  return result !== undefined && parseOutcome(result)?.state === 'interrupted';
}

function toEnd(outcome: Outcome, run?: string): JobEnd {
  const reason = outcome.summary;
  const kept = { result: storedText(outcome, RESULT_LIMIT), ...(run !== undefined && { run }) };
  switch (outcome.state) {
    case 'success':
    case 'partial':
      return { kind: 'done', ...kept };
    case 'interrupted':
      if (outcome.waitsFor === 'approval') return { kind: 'waiting', ...kept, reason };
      // It did its work; to do it again would not apply what waits.
      if (outcome.waitsFor === 'changes') return { kind: 'done', ...kept };
      return { kind: 'failed', ...kept, reason, retryable: true };
    case 'pending':
      return { kind: 'failed', ...kept, reason, retryable: false };
    case 'timeout':
    case 'error':
      return { kind: 'failed', ...kept, reason, retryable: outcome.failure.recoverable !== false };
  }
}
