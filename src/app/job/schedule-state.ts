// Whether a schedule is on, and why not: by its file, by a person, by the scheduler, by the trust of the folder.
import type { Text } from '../../base/language.ts';
import type { Schedule } from '../../jobs/schedule.ts';
import { STOP_REASONS } from '../../jobs/scheduler.ts';
import type { ScheduleState } from '../../store/queue.ts';

export interface JudgedState {
  readonly state: 'active' | 'disabled' | 'stopped';
  /** Why it is not active; our own reasons are those of SCHEDULE_REASONS. */
  readonly reason?: string;
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
export function scheduleStateOf(
  { enabled, written }: Schedule,
  known: ScheduleState | undefined,
  trusted: boolean,
): JudgedState {
  if (known?.state === 'disabled') return { state: 'disabled', ...(known.reason && { reason: known.reason }) };
  if (!enabled) return { state: 'disabled', reason: HERE.off.en };
  if (!trusted) return { state: 'stopped', reason: HERE.untrusted.en };
  if (known?.state === 'stopped' && known.written === written)
    return { state: 'stopped', ...(known.reason && { reason: known.reason }) };
  return { state: 'active' };
}
