// `start`: the scheduler and the workers of a project in one process, until they are asked to stop.
import { hostname } from 'node:os';
import { Fault } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import { isTrusted } from '../../config/trust.ts';
import { hasFiles, isAlive } from '../../jobs/able.ts';
import { measureJob } from '../../jobs/follow.ts';
import { type HealthAddress, serveHealth } from '../../jobs/health.ts';
import { measureQueue, measureTroubles } from '../../jobs/metric.ts';
import { nextMoment } from '../../jobs/moment.ts';
import { digestOfTarget } from '../../jobs/pin.ts';
import type { Schedule } from '../../jobs/schedule.ts';
import { createScheduler, type Scheduler, type SchedulerEvent } from '../../jobs/scheduler.ts';
import { skillOfTarget } from '../../jobs/target-skill.ts';
import { type Stopping, workUntilStopped } from '../../jobs/work-loop.ts';
import type { WorkerDeps, WorkLog } from '../../jobs/worker.ts';
import { listRoles, type Role } from '../../registry/role/role.ts';
import type { Queue } from '../../store/queue.ts';
import { keepState } from '../keep-state.ts';
import { findNamesakes } from '../open-store.ts';
import type { Runtime } from '../runtime.ts';
import { time } from '../view/jobs.ts';
import type { JobWishes } from './execute-job.ts';
import { fetchUntilStopped } from './fetch-packs.ts';
import { describeHealth, type TroubleWatch, watchTroubles } from './health.ts';
import { executablesIn, installedIn } from './installed.ts';
import { newJob, openJobQueue, openWorkerDeps, schedulesOf, targetOf } from './open-jobs.ts';
import { withEnvironments } from './pinned-environments.ts';
import { keepPresent } from './presence.ts';
import { forgetFetched, openRoleFiles, type RoleFiles } from './role-files.ts';

export interface StartOrder extends Stopping, JobWishes {
  readonly workers: number;
  readonly labels: readonly string[];
  readonly log: WorkLog;
  readonly health?: HealthAddress | undefined;
  readonly leaseMs?: number;
}

const OWN_NAME = 'a folder of the same name on this machine shares these jobs: set store.name in one of them';
const TRUST_MS = 500;
const HOUR_MS = 3_600_000;
/** How long ended jobs stay in the history. */
const HISTORY_MS = 90 * 24 * HOUR_MS;
/** And packs that no job used. */
const FETCHED_MS = 30 * 24 * HOUR_MS;

/** Throws a Fault where the folder is not trusted. */
export async function startJobs(runtime: Runtime, order: StartOrder): Promise<{ readonly ran: number }> {
  runtime.requireConfig();
  const trust = watchTrust(runtime, order.log);
  if (!trust()) throw new Fault('NotTrusted', visible(runtime.project));
  const queue = await openJobQueue(runtime, order.stop);
  const kept = keepState(runtime, order.stop);
  try {
    for (const folder of await findNamesakes(runtime)) order.log('name shared', { folder, advice: OWN_NAME });
    return await serve(runtime.derive({ kept }), queue, trust, order);
  } finally {
    await Promise.all([queue.close(), kept.close()]);
  }
}

async function serve(runtime: Runtime, queue: Queue, trust: () => boolean, order: StartOrder) {
  const mayWork = remembered(trust);
  const { log, stop, workers: capacity } = order;
  const files = openRoleFiles(runtime, executablesIn(runtime));
  const troubles = watchTroubles(runtime, queue, { labels: order.labels, trust });
  const measured = measure(runtime, queue, troubles, log);
  const deps = openWorkerDeps(runtime, queue, log, { ...order, files, follow: measured?.follow });
  const count = { running: 0, ran: 0 };
  const onCount = (running: number) => {
    if (running < count.running) count.ran++;
    count.running = running;
    presence.changed();
  };
  const { language } = runtime;
  const look = () => describeHealth(queue, troubles, { isTrusted: trust(), running: count.running, language });
  // First, because a port that is taken ends it all.
  const health = order.health === undefined ? undefined : await serveHealth(order.health, look);
  const startedAt = runtime.clock.now();
  const presence = keepPresent(queue, log, async () => ({
    id: deps.worker,
    host: hostname(),
    pid: process.pid,
    labels: order.labels,
    capacity,
    running: count.running,
    startedAt,
    digests: await files.digests(),
  }));
  const tidying = keepTidy(queue, log, () => forgetFetched(runtime.home, FETCHED_MS));
  try {
    log('started', { project: runtime.project, workers: capacity, ...(health && { health: health.port }) });
    await Promise.all([
      openScheduler(runtime, queue, trust, log, hasElsewhere(queue, deps.worker, files)).run(stop),
      workUntilStopped(deps, { capacity, mayWork, onCount }, order),
      fetchUntilStopped(runtime, { queue, files, labels: order.labels, log }, stop),
    ]);
    log('stopped', { ran: count.ran });
    return { ran: count.ran };
  } finally {
    await presence.end();
    clearInterval(tidying);
    await health?.close();
    await measured?.close();
  }
}

interface Measured {
  readonly follow: NonNullable<WorkerDeps['follow']>;
  close(): Promise<void>;
}

/** What is lost on the way to the receiver is said when it begins, and how much it was at the end. */
function measure(
  { telemetry, clock }: Runtime,
  queue: Queue,
  troubles: TroubleWatch,
  log: WorkLog,
): Measured | undefined {
  if (!telemetry) return undefined;
  telemetry.onLoss((loss) => log('telemetry not delivered', { ...loss }));
  telemetry.watch(async () => [...measureQueue(await queue.stats()), ...measureTroubles(await troubles())]);
  return {
    follow: (job) => measureJob(job, telemetry, () => clock.now()),
    async close() {
      const loss = await telemetry.close();
      if (loss) log('telemetry lost', { ...loss });
    },
  };
}

/** A role's file that changed counts at once where the folder is trusted as it is now; else nothing is planned. */
function openScheduler(
  runtime: Runtime,
  queue: Queue,
  isTrustedNow: () => boolean,
  log: WorkLog,
  elsewhere: (digest: string) => Promise<boolean>,
): Scheduler {
  const { project, clock } = runtime;
  const complain = oncePerText((message) => log('role not understood', { message }));
  const announce = oncePerText((_, schedule: Schedule) => log('schedule on', nextOf(schedule, clock.now())));
  let roles = new Map<string, Role>();
  return createScheduler({
    queue,
    clock,
    async schedules() {
      const all = await listRoles(project);
      // Asked after reading: what was changed before it was read is seen.
      if (!isTrustedNow()) return [];
      roles = new Map(all.map((role) => [role.name, role]));
      const { schedules, diagnostics } = schedulesOf(all);
      for (const { severity, message } of diagnostics) if (severity === 'error') complain(message);
      for (const schedule of schedules) if (schedule.enabled) announce(`${schedule.id} ${schedule.written}`, schedule);
      return schedules;
    },
    digestOf: ({ role, target }) => digestOfTarget(project, role, target, { installed: installedIn(runtime) }),
    hasElsewhere: elsewhere,
    toJob(schedule, _moment, digest) {
      const role = roles.get(schedule.role);
      if (!role) throw new Fault('DataNotFound', schedule.role);
      const { retry, timeoutMs, labels } = schedule;
      const target = targetOf(schedule);
      const skill = 'skill' in target ? skillOfTarget(role, target.skill, installedIn(runtime)) : undefined;
      const seconds = skill?.manifest.timeout;
      const named = withEnvironments(target, skill, schedule.follow === 'pinned' ? digest : undefined, runtime);
      return newJob({ role: role.name, target: named, retry, timeoutMs, labels, seconds }, runtime);
    },
    log: (event) => log(`schedule ${event.event}`, factsOf(event)),
  });
}

function nextOf({ id, when, timezone }: Schedule, now: number) {
  return { schedule: id, next: time(nextMoment(when, timezone, now)) };
}

/** Times as everywhere else: ISO 8601, UTC. */
function factsOf({ event: _, ...facts }: SchedulerEvent): Record<string, unknown> {
  if (!('moments' in facts)) return facts;
  return { schedule: facts.schedule, moments: facts.moments.map(time), next: time(facts.next) };
}

/** A schedule goes on for files that were changed or are not there, where this machine fetched them or another one has them. */
function hasElsewhere(queue: Queue, own: string, files: RoleFiles) {
  return async (digest: string): Promise<boolean> => {
    if ((await files.digests()).includes(digest)) return true;
    const workers = await queue.workers();
    // By the clock that wrote them, which this machine need not share.
    const now = Math.max(...workers.map(({ seenAt }) => seenAt));
    return workers.some((worker) => worker.id !== own && isAlive(worker, now) && hasFiles(worker, digest));
  };
}

/** A history that only grows would fill the disk of whoever forgets about it. */
function keepTidy(queue: Queue, log: WorkLog, forgetFiles: () => void): NodeJS.Timeout {
  const tidy = async () => {
    try {
      forgetFiles();
      const forgotten = await queue.prune(HISTORY_MS);
      if (forgotten > 0) log('history pruned', { jobs: forgotten });
    } catch (error) {
      log('history not pruned', { message: error instanceof Error ? error.message : String(error) });
    }
  };
  void tidy();
  return setInterval(() => void tidy(), HOUR_MS);
}

/** Trust is bound to the very settings and roles: a change while we run ends it until a person trusts them again. */
function watchTrust({ project, home }: Runtime, log: WorkLog): () => boolean {
  let held = isTrusted(project, home);
  return () => {
    const holds = isTrusted(project, home);
    if (holds !== held) {
      const reason = 'settings or roles changed since the folder was trusted: skillwright trust';
      log(holds ? 'trusted again' : 'not trusted', holds ? {} : { reason });
    }
    held = holds;
    return holds;
  };
}

/** Workers ask often, and a tree of roles may be large. */
function remembered(ask: () => boolean): () => boolean {
  let known = { answer: ask(), at: performance.now() };
  return () => {
    if (performance.now() - known.at >= TRUST_MS) known = { answer: ask(), at: performance.now() };
    return known.answer;
  };
}

function oncePerText<More extends unknown[]>(say: (text: string, ...more: More) => void): typeof say {
  const said = new Set<string>();
  return (text, ...more) => {
    if (said.has(text)) return;
    said.add(text);
    say(text, ...more);
  };
}
