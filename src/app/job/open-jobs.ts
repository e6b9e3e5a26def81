// The queue of a project, what goes into it and where its jobs are executed, built from the runtime.
import { hostname } from 'node:os';
import type { Diagnostic } from '../../base/diagnostic.ts';
import { randomId } from '../../base/ids.ts';
import type { Json } from '../../base/json.ts';
import { traceJob } from '../../jobs/follow.ts';
import { type JobTarget, nameTarget, writePayload } from '../../jobs/payload.ts';
import { openProgressReporter } from '../../jobs/progress.ts';
import { readSchedules, type Schedule } from '../../jobs/schedule.ts';
import type { WorkerDeps, WorkLog } from '../../jobs/worker.ts';
import { endTagged } from '../../process/host.ts';
import type { Role } from '../../registry/role/role.ts';
import type { ClaimedJob, NewJob, Queue, RetryRule } from '../../store/queue.ts';
import { openProjectQueue } from '../open-store.ts';
import type { Runtime } from '../runtime.ts';
import { executeJob, type JobWishes } from './execute-job.ts';
import { openRoleFiles, type RoleFiles } from './role-files.ts';

const LEASE_MS = 10_000;
const SKILL_SECONDS = 300;

/** Whoever opens it closes it. */
export function openJobQueue(runtime: Runtime, stop?: AbortSignal): Promise<Queue> {
  return openProjectQueue(runtime, stop);
}

/** Closed again, whatever comes of the work. */
export async function withJobQueue<T>(runtime: Runtime, work: (queue: Queue) => Promise<T>): Promise<T> {
  const queue = await openJobQueue(runtime);
  try {
    return await work(queue);
  } finally {
    await queue.close();
  }
}

interface ReadSchedules {
  readonly schedules: readonly Schedule[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Every schedule of the roles that were understood, and what is wrong with the others. */
export function schedulesOf(roles: readonly Role[]): ReadSchedules {
  const read = roles.filter(({ usable }) => usable).map((role) => readSchedules(role));
  return {
    schedules: read.flatMap(({ schedules }) => schedules),
    diagnostics: [...roles.flatMap((role) => role.diagnostics), ...read.flatMap(({ diagnostics }) => diagnostics)],
  };
}

export function targetOf({ target }: Pick<Schedule, 'target'>): JobTarget {
  return 'prompt' in target ? target : { ...target, params: target.params as Record<string, Json> };
}

interface JobOrder {
  /** NO_ROLE for an installed skill that no role asked for. */
  readonly role: string;
  /** The time limit of its skill. */
  readonly seconds?: number | undefined;
  readonly target: JobTarget;
  readonly retry: RetryRule;
  /** The usual time of the skill, or of a run, unless given. */
  readonly timeoutMs?: number | undefined;
  readonly labels?: readonly string[] | undefined;
}

export function newJob({ role, seconds, target, retry, timeoutMs, labels }: JobOrder, { config }: Runtime): NewJob {
  const usual = 'prompt' in target ? config.budgets.seconds : (seconds ?? SKILL_SECONDS);
  return {
    role,
    target: nameTarget(role, target),
    payload: writePayload(target),
    retry,
    timeoutMs: timeoutMs ?? usual * 1000,
    ...(labels?.length && { labels }),
  };
}

export interface WorkerWishes extends JobWishes {
  /** Those of the settings unless given. */
  readonly labels?: readonly string[];
  readonly files?: RoleFiles;
  readonly leaseMs?: number;
  /** How each job is watched; by a span, where nothing else is said and telemetry is wanted. */
  readonly follow?: WorkerDeps['follow'] | undefined;
}

/** Waits for work that whoever watches it may stop. */
export type WithStop = <T>(work: (stop: AbortSignal) => Promise<T>) => Promise<T>;

/** What a worker of this runtime needs to execute jobs. */
export function openWorkerDeps(runtime: Runtime, queue: Queue, log: WorkLog, wishes: WorkerWishes = {}): WorkerDeps {
  const { telemetry } = runtime;
  const { files = openRoleFiles(runtime), labels = runtime.config.labels, leaseMs = LEASE_MS } = wishes;
  const { model, given, yes, onProgress } = wishes;
  const forJobs = { model, ...(given && { given }), ...(yes && { yes }) };
  const follow = wishes.follow ?? (telemetry && ((job: ClaimedJob) => traceJob(job, telemetry)));
  return {
    queue,
    worker: `${hostname()}-${process.pid}-${randomId(4)}`,
    leaseMs,
    labels,
    digests: () => files.digests(),
    async execute(job, place) {
      const progress = openProgressReporter(queue, job);
      const say: typeof onProgress = (said) => {
        progress.say(said);
        onProgress?.(said);
      };
      const end = await executeJob(runtime, job, place, { ...forJobs, onProgress: say, digestOf: files.digestOf });
      await progress.end();
      if (end.kind === 'unfit') files.changed();
      return end;
    },
    endProcesses: endTagged,
    log,
    ...(follow && { follow }),
  };
}
