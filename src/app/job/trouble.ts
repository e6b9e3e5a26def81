// Looks at every schedule of the project for what keeps it from running, on this machine and in the queue.
import type { Text } from '../../base/language.ts';
import { isAlive, type Lack, whatLacks } from '../../jobs/able.ts';
import { type GrantNeed, grantNeed, type LintPlace } from '../../jobs/grant-need.ts';
import { type ReachNeed, reachNeed } from '../../jobs/reach-need.ts';
import type { Schedule } from '../../jobs/schedule.ts';
import { skillOfTarget } from '../../jobs/target-skill.ts';
import { type ScheduleTrouble, troublesOf } from '../../jobs/trouble.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import { listRoles, type Role } from '../../registry/role/role.ts';
import type { Job, Queue, ScheduleState, WorkerSeen } from '../../store/queue.ts';
import { lintPlace } from '../role/lint.ts';
import type { Runtime } from '../runtime.ts';
import { schedulesOf } from './open-jobs.ts';
import { revokedKey } from './revoked-key.ts';
import { SCHEDULE_REASONS, scheduleStateOf } from './schedule-state.ts';

export interface TroublePlace {
  /** Schedules that ask for others are judged by the machine that has them. */
  readonly labels: readonly string[];
  readonly isTrusted: boolean;
}

/** Of all schedules that are not switched off. */
export async function findTroubles(
  runtime: Runtime,
  queue: Queue,
  { labels, isTrusted }: TroublePlace,
): Promise<ScheduleTrouble[]> {
  const roles = await listRoles(runtime.project);
  const { schedules } = schedulesOf(roles);
  if (schedules.length === 0) return [];
  const now = runtime.clock.now();
  const known = new Map((await queue.schedules.all()).map((state) => [state.id, state]));
  const alive = (await queue.workers()).filter((worker) => isAlive(worker, now));
  const place = await lintPlace(runtime);
  const found: ScheduleTrouble[] = [];
  for (const schedule of schedules) {
    const { state, reason } = scheduleStateOf(schedule, known.get(schedule.id), isTrusted);
    if (state === 'disabled') continue;
    const role = roles.find(({ name }) => name === schedule.role);
    const isHere = (schedule.labels ?? []).every((label) => labels.includes(label));
    const skill = role && skillOf(role, schedule, place);
    const facts = {
      id: schedule.id,
      stopped: state === 'stopped' ? inBoth(reason ?? state) : undefined,
      key: isHere ? revokedKey(runtime, skill, known.get(schedule.id)?.digest || undefined) : undefined,
      ...(isHere && role && needsOf(role, schedule, place)),
      ...(await jobsOf(queue, schedule)),
      nobody: nobodyFor(schedule, known.get(schedule.id), alive),
    };
    found.push(...troublesOf(facts, now).map((trouble) => ({ ...trouble, schedule: schedule.id })));
  }
  return found;
}

function skillOf(role: Role, { target }: Schedule, place: LintPlace): SkillEntry | undefined {
  return 'prompt' in target ? undefined : skillOfTarget(role, target.skill, place.installed);
}

export interface ScheduleNeeds {
  readonly grant?: GrantNeed | undefined;
  readonly reach?: ReachNeed;
}

/** The grants that a schedule rests on: by which it runs, and by which its code reaches something. */
export function needsOf(role: Role, schedule: Schedule, place: LintPlace): ScheduleNeeds {
  const { target } = schedule;
  const skill = skillOf(role, schedule, place);
  if ('prompt' in target || skill?.kind !== 'protocol') return {};
  return { grant: grantNeed(role, skill, target, place), reach: reachNeed(skill, target, place) };
}

async function jobsOf(queue: Queue, { id: schedule }: Schedule): Promise<Record<'last' | 'waiting', Job | undefined>> {
  const [last] = await queue.history({ schedule, limit: 1 });
  const [waiting] = await queue.history({ schedule, limit: 1, states: ['waiting'] });
  return { last, waiting };
}

function nobodyFor(
  { labels }: Schedule,
  state: ScheduleState | undefined,
  alive: readonly WorkerSeen[],
): Lack | undefined {
  const digest = state?.digest === '' ? undefined : state?.digest;
  return whatLacks({ ...(digest !== undefined && { digest }), ...(labels && { labels }) }, alive);
}

/** Our own reasons are known in both languages; those of a person stand as they are. */
function inBoth(reason: string): Text {
  return SCHEDULE_REASONS.find(({ en }) => en === reason) ?? { en: reason, zh: reason };
}
