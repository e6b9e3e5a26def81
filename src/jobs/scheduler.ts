// Turns due times of schedules into jobs. Any number of schedulers may run: each due time becomes exactly one job.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';
import { toFault } from '../base/errors.ts';
import type { Text } from '../base/language.ts';
import type { NewJob, Queue, ScheduleState } from '../store/queue.ts';
import { latestMoments, momentsBetween, nextMoment } from './moment.ts';
import type { Schedule } from './schedule.ts';

export interface SchedulerParts {
  readonly queue: Pick<Queue, 'schedules'>;
  readonly clock: Clock;
  /** Read at every tick, so that a changed file takes effect at once. */
  readonly schedules: () => Promise<readonly Schedule[]>;
  /** Digest of the files it would run now; undefined when they cannot be read, or when it runs none. */
  readonly digestOf: (schedule: Schedule) => Promise<string | undefined>;
  /** Whether another machine has files that this one lacks. */
  readonly hasElsewhere?: (digest: string) => Promise<boolean>;
  readonly toJob: (schedule: Schedule, occurrence: number, digest: string | undefined) => NewJob;
  readonly log: (event: SchedulerEvent) => void;
  /** A due time older than this was missed. */
  readonly graceMs?: number;
}

export type SchedulerEvent =
  | {
      readonly event: 'planned';
      readonly schedule: string;
      readonly moments: readonly number[];
      /** Its next due time; infinite where there is none. */
      readonly next: number;
    }
  | { readonly event: 'stopped'; readonly schedule: string; readonly reason: string }
  | { readonly event: 'failed'; readonly schedule?: string; readonly reason: string };

export interface Scheduler {
  /** Plans what is due; returns the next due time. */
  tick(now: number): Promise<number>;
  /** Runs until aborted. A tick that fails is logged and retried. */
  run(signal: AbortSignal): Promise<void>;
}

const GRACE_MS = 60_000;
/** The longest time until a changed file or a changed clock is noticed. */
const REFRESH_MS = 2_000;
const SHORTEST_WAIT_MS = 5;
/** More due times than this at once are planned in several ticks. */
const MOMENTS_AT_ONCE = 1_000;

export function createScheduler(given: SchedulerParts): Scheduler {
  const { queue, clock, schedules, digestOf, hasElsewhere, toJob, graceMs } = given;
  const parts: SchedulerParts = {
    queue,
    clock,
    schedules,
    digestOf,
    toJob,
    log: withoutRepeats(given.log),
    ...(hasElsewhere && { hasElsewhere }),
    ...(graceMs !== undefined && { graceMs }),
  };
  let lastTick: number | undefined;
  const tick = async (now: number) => {
    // A new schedule starts at this scheduler's last tick: its first due time may have just passed.
    const begin = Math.min(lastTick ?? now, now);
    const known = new Map((await parts.queue.schedules.all()).map((state) => [state.id, state]));
    let next = Number.POSITIVE_INFINITY;
    for (const schedule of await parts.schedules()) {
      next = Math.min(next, await planSafely(parts, schedule, known.get(schedule.id), { now, begin }));
    }
    lastTick = now;
    return next;
  };
  return { tick, run: (signal) => run(parts, tick, signal) };
}

async function run(parts: SchedulerParts, tick: Scheduler['tick'], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const now = parts.clock.now();
    const next = await tick(now).catch((error: unknown) => {
      parts.log({ event: 'failed', reason: toFault(error).message });
      return Number.POSITIVE_INFINITY;
    });
    const wait = Math.min(REFRESH_MS, Math.max(SHORTEST_WAIT_MS, next - parts.clock.now()));
    await sleep(wait, undefined, { signal }).catch(() => {});
  }
}

interface Span {
  readonly now: number;
  readonly begin: number;
}

/** One schedule that cannot be planned does not delay the others. */
async function planSafely(parts: SchedulerParts, schedule: Schedule, known: ScheduleState | undefined, span: Span) {
  try {
    return await plan(parts, schedule, known, span);
  } catch (error) {
    parts.log({ event: 'failed', schedule: schedule.id, reason: toFault(error).message });
    return Number.POSITIVE_INFINITY;
  }
}

/** Returns its next due time. */
async function plan(
  parts: SchedulerParts,
  schedule: Schedule,
  known: ScheduleState | undefined,
  { now, begin }: Span,
): Promise<number> {
  const state = known?.written === schedule.written ? known : await open(parts, schedule, begin);
  if (!state || !schedule.enabled || state.state !== 'active') return Number.POSITIVE_INFINITY;
  const moments = dueMoments(schedule, state.plannedTo, now, parts.graceMs ?? GRACE_MS);
  const next = nextMoment(schedule.when, schedule.timezone, Math.max(now, state.plannedTo)) ?? Number.POSITIVE_INFINITY;
  if (moments.length === 0) return next;
  const digest = await parts.digestOf(schedule);
  const reason = reasonToStop(schedule, state, digest);
  const isElsewhere = reason !== undefined && state.digest !== '' && (await parts.hasElsewhere?.(state.digest));
  if (reason !== undefined && !isElsewhere) {
    await parts.queue.schedules.stop(schedule.id, reason);
    parts.log({ event: 'stopped', schedule: schedule.id, reason });
    return Number.POSITIVE_INFINITY;
  }
  const to = moments.length >= MOMENTS_AT_ONCE ? (moments.at(-1) ?? now) : now;
  const wanted = isElsewhere ? state.digest : digest;
  const jobs = moments.map((moment) => jobFor(parts, schedule, { moment, now, digest: wanted }));
  const isOurs = await parts.queue.schedules.plan(schedule.id, state.plannedTo, to, jobs);
  if (isOurs) parts.log({ event: 'planned', schedule: schedule.id, moments, next });
  // Another scheduler was faster, or there is more to plan: tick again at once.
  return isOurs && to === now ? next : now;
}

/** Undefined when its files cannot be read: then there is nothing to pin. */
async function open({ queue, digestOf, log }: SchedulerParts, schedule: Schedule, begin: number) {
  const { id, written } = schedule;
  const digest = schedule.enabled ? await digestOf(schedule) : '';
  if (digest === undefined && 'skill' in schedule.target) {
    log({ event: 'failed', schedule: id, reason: STOP_REASONS.unreadable.en });
    return undefined;
  }
  const pinned = schedule.follow === 'pinned' ? (digest ?? '') : '';
  return queue.schedules.open({ id, written, digest: pinned, plannedTo: begin });
}

/** Why a schedule is disabled; stored in English, shown in either language. */
export const STOP_REASONS = {
  unreadable: { en: 'the files of its skill cannot be read', zh: '无法读取其技能的文件' },
  changed: { en: 'the files of its skill changed since it was enabled', zh: '启用之后其技能的文件已更改' },
} as const satisfies Record<string, Text>;

function reasonToStop(schedule: Schedule, state: ScheduleState, digest: string | undefined): string | undefined {
  if (digest === undefined && 'skill' in schedule.target) return STOP_REASONS.unreadable.en;
  return state.digest !== '' && state.digest !== digest ? STOP_REASONS.changed.en : undefined;
}

/** Due times on time, and those missed that the catch-up policy includes. */
function dueMoments({ when, timezone, misfire }: Schedule, from: number, now: number, graceMs: number): number[] {
  const missedTo = Math.max(from, now - graceMs);
  const onTime = momentsBetween(when, timezone, missedTo, now, MOMENTS_AT_ONCE);
  if (missedTo === from || misfire.mode === 'skip') return onTime;
  const missed = latestMoments(when, timezone, from, missedTo, misfire.mode === 'once' ? 1 : misfire.limit);
  // One run replaces all that were missed and those due now.
  if (misfire.mode === 'once' && missed.length > 0) return [...missed, ...onTime].slice(-1);
  return [...missed, ...onTime];
}

interface Occurrence {
  readonly moment: number;
  readonly now: number;
  readonly digest: string | undefined;
}

function jobFor({ toJob }: SchedulerParts, schedule: Schedule, { moment, now, digest }: Occurrence): NewJob {
  const { id, overlap, follow, retry } = schedule;
  return {
    ...toJob(schedule, moment, digest),
    retry,
    key: `occurrence:${id}:${moment}`,
    schedule: id,
    occurrence: moment,
    delayMs: Math.max(0, moment + jitter(schedule, moment) - now),
    ...(overlap !== 'parallel' && { lane: `schedule:${id}`, skipIfBusy: overlap === 'skip' }),
    ...(follow === 'pinned' && digest !== undefined && digest !== '' && { digest }),
  };
}

/** Random, but the same for every scheduler. */
function jitter({ id, jitterMs }: Schedule, moment: number): number {
  if (jitterMs === 0) return 0;
  const random = createHash('sha256').update(`${id} ${moment}`).digest().readUInt32BE(0) / 2 ** 32;
  return Math.floor(random * (jitterMs + 1));
}

/** A lasting failure is logged once, not at every tick. */
function withoutRepeats(log: SchedulerParts['log']): SchedulerParts['log'] {
  const last = new Map<string, string>();
  return (event) => {
    const of = event.schedule ?? '';
    const said = event.event === 'failed' ? event.reason : '';
    if (said !== '' && last.get(of) === said) return;
    last.set(of, said);
    log(event);
  };
}
