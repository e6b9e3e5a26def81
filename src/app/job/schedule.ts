// The schedules of a project: whether each is on, when it is due next and what came of it last; switched on and off.
import type { Diagnostic } from '../../base/diagnostic.ts';
import { Fault } from '../../base/errors.ts';
import type { Text } from '../../base/language.ts';
import { visible } from '../../base/text.ts';
import { isAlive } from '../../jobs/able.ts';
import { nextMoment } from '../../jobs/moment.ts';
import { nameTarget } from '../../jobs/payload.ts';
import { digestOfTarget } from '../../jobs/pin.ts';
import type { Schedule } from '../../jobs/schedule.ts';
import { STOP_REASONS } from '../../jobs/scheduler.ts';
import { listRoles } from '../../registry/role/role.ts';
import type { Job, Queue, ScheduleState } from '../../store/queue.ts';
import { recordOwnAwaited } from '../own/record.ts';
import type { Runtime } from '../runtime.ts';
import { findSchedule } from '../view/jobs.ts';
import { schedulesOf, targetOf, withJobQueue } from './open-jobs.ts';

export interface ListedSchedule {
  readonly schedule: Schedule;
  /** What it does, in a name. */
  readonly does: string;
  /** The newest of its jobs. */
  readonly last: Job | undefined;
  readonly state: 'active' | 'disabled' | 'stopped';
  /** Why it is not active; our own reasons are those of SCHEDULE_REASONS. */
  readonly reason?: string;
  /** Only while it is active. */
  readonly next?: number | undefined;
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
    const listed: ListedSchedule[] = [];
    for (const schedule of schedules) {
      const [last] = await queue.history({ schedule: schedule.id, limit: 1 });
      const state = stateOf(schedule, known.get(schedule.id), runtime.isTrusted());
      const next = state.state === 'active' ? nextMoment(schedule.when, schedule.timezone, now) : undefined;
      const does = nameTarget(schedule.role, targetOf(schedule));
      listed.push({ schedule, does, last, ...state, next });
    }
    const isWanted = listed.some(({ state }) => state === 'active');
    const lacksWorker = isWanted && !(await queue.workers()).some((one) => isAlive(one, now));
    return { schedules: listed, diagnostics, lacksWorker };
  });
}

const HERE = {
  off: { en: 'enabled: false in agent.yaml', zh: 'agent.yaml 中为 enabled: false' },
  untrusted: {
    en: 'the folder is not trusted as it is now: skillwright trust',
    zh: '目录在当前状态下未受信任: skillwright trust',
  },
} as const satisfies Record<string, Text>;

export const SCHEDULE_REASONS: readonly Text[] = [...Object.values(HERE), ...Object.values(STOP_REASONS)];

/** A change of agent.yaml begins a stopped schedule anew, but a person's no stays. */
function stateOf(
  { enabled, written }: Schedule,
  known: ScheduleState | undefined,
  trusted: boolean,
): Pick<ListedSchedule, 'state' | 'reason'> {
  if (known?.state === 'disabled') return { state: 'disabled', ...(known.reason && { reason: known.reason }) };
  if (!enabled) return { state: 'disabled', reason: HERE.off.en };
  if (!trusted) return { state: 'stopped', reason: HERE.untrusted.en };
  if (known?.state === 'stopped' && known.written === written)
    return { state: 'stopped', ...(known.reason && { reason: known.reason }) };
  return { state: 'active' };
}

/** Goes on from now, for the files its skill has now; says when it is due next. */
export async function enableSchedule(id: string, runtime: Runtime): Promise<number | undefined> {
  const schedule = await findSchedule(runtime.project, id);
  if (!schedule.enabled) throw offInFile(id);
  const digest = await digestOfTarget(runtime.project, schedule.role, schedule.target);
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
