// The schedules of a project: whether each is on, when it is due next and what came of it last; switched on and off.
import type { Diagnostic } from '../../base/diagnostic.ts';
import { Fault } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import { isAlive } from '../../jobs/able.ts';
import { nextMoment } from '../../jobs/moment.ts';
import { nameTarget } from '../../jobs/payload.ts';
import { digestOfTarget } from '../../jobs/pin.ts';
import type { Schedule } from '../../jobs/schedule.ts';
import type { ScheduleTrouble } from '../../jobs/trouble.ts';
import { listRoles } from '../../registry/role/role.ts';
import type { Job, Queue } from '../../store/queue.ts';
import { recordOwnAwaited } from '../own/record.ts';
import type { Runtime } from '../runtime.ts';
import { findSchedule } from '../view/jobs.ts';
import { installedIn } from './installed.ts';
import { schedulesOf, targetOf, withJobQueue } from './open-jobs.ts';
import { type JudgedState, scheduleStateOf } from './schedule-state.ts';
import { findTroubles } from './trouble.ts';

export interface ListedSchedule extends JudgedState {
  readonly schedule: Schedule;
  /** What it does, in a name. */
  readonly does: string;
  /** The newest of its jobs. */
  readonly last: Job | undefined;
  /** Only while it is active. */
  readonly next?: number | undefined;
  /** What keeps it from running, or soon will. */
  readonly troubles: readonly ScheduleTrouble[];
}

export interface ScheduleList {
  readonly schedules: readonly ListedSchedule[];
  readonly diagnostics: readonly Diagnostic[];
  /** Something is due sometime, and nobody is there to run it. */
  readonly lacksWorker: boolean;
}

export async function listSchedules(runtime: Runtime): Promise<ScheduleList> {
  runtime.requireConfig();
  const { schedules, diagnostics } = schedulesOf(await listRoles(runtime.project));
  return await withJobQueue(runtime, async (queue) => {
    const known = new Map((await queue.schedules.all()).map((state) => [state.id, state]));
    const now = runtime.clock.now();
    const place = { labels: runtime.config.labels, isTrusted: runtime.isTrusted() };
    const found = await findTroubles(runtime, queue, place);
    const listed: ListedSchedule[] = [];
    for (const schedule of schedules) {
      const [last] = await queue.history({ schedule: schedule.id, limit: 1 });
      const state = scheduleStateOf(schedule, known.get(schedule.id), place.isTrusted);
      const next = state.state === 'active' ? nextMoment(schedule.when, schedule.timezone, now) : undefined;
      const does = nameTarget(schedule.role, targetOf(schedule));
      const troubles = found.filter((trouble) => trouble.schedule === schedule.id);
      listed.push({ schedule, does, last, ...state, next, troubles });
    }
    const isWanted = listed.some(({ state }) => state === 'active');
    const lacksWorker = isWanted && !(await queue.workers()).some((one) => isAlive(one, now));
    return { schedules: listed, diagnostics, lacksWorker };
  });
}

/** Goes on from now, for the files its skill has now; says when it is due next. */
export async function enableSchedule(id: string, runtime: Runtime): Promise<number | undefined> {
  const schedule = await findSchedule(runtime.project, id);
  if (!schedule.enabled) throw offInFile(id);
  const installed = installedIn(runtime);
  const digest = await digestOfTarget(runtime.project, schedule.role, schedule.target, { installed });
  if (digest === undefined) throw new Fault('SkillNotFound', visible(id));
  const now = runtime.clock.now();
  const pinned = schedule.follow === 'pinned' ? digest : '';
  const enable = () =>
    withJobQueue(runtime, async (queue) => {
      await queue.schedules.open({ id, written: schedule.written, digest: pinned, plannedTo: now });
      await queue.schedules.enable(id, pinned, now);
      await forgetOutdated(queue, id, pinned);
    });
  await recordOwnAwaited(runtime, { command: 'jobs enable', schedule: id }, enable, () => ({ after: pinned || null }));
  return nextMoment(schedule.when, schedule.timezone, now);
}

/** Plans nothing more of it until somebody enables it. */
export async function disableSchedule(id: string, reason: string, runtime: Runtime): Promise<void> {
  const schedule = await findSchedule(runtime.project, id);
  const change = { command: 'jobs disable', schedule: schedule.id, ...(reason !== '' && { reason }) } as const;
  await recordOwnAwaited(runtime, change, () =>
    withJobQueue(runtime, async (queue) => await queue.schedules.disable(schedule.id, reason)),
  );
}

/** Of what it goes on without: queued for files nobody may have any more, it would only hold up the rest. */
async function forgetOutdated(queue: Queue, schedule: string, digest: string): Promise<void> {
  for (const job of await queue.history({ schedule, states: ['queued'] })) {
    if (job.digest !== undefined && job.digest !== digest) await queue.cancel(job.id);
  }
}

function offInFile(id: string): Fault {
  return new Fault(
    'ConfigInvalid',
    { en: `${visible(id)} says enabled: false in agent.yaml`, zh: `${visible(id)} 在 agent.yaml 中为 enabled: false` },
    {
      hint: { en: 'Change it there, then `skillwright trust`.', zh: '请在该文件中修改，再运行 `skillwright trust`。' },
    },
  );
}
