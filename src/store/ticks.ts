// A monotonic clock for leases: shared by every process of the machine, unaffected by changes of date or time.
import { readFileSync } from 'node:fs';

export interface Ticks {
  /** Changes when the machine restarts; times of different epochs cannot be compared. */
  readonly epoch: string;
  /** Milliseconds; never goes back within an epoch. */
  now(): number;
}

// The clock behind hrtime counts from the start of the machine, not of the process.
export const machineTicks: Ticks = {
  epoch: readEpoch(),
  now: () => Number(process.hrtime.bigint() / 1_000_000n),
};

/** Without a boot id, a timestamp ahead of the clock still reveals that the machine was restarted. */
function readEpoch(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return '';
  }
}
