// The machine's own clock for leases: the same in every process, and no change of date or time moves it.
import { readFileSync } from 'node:fs';

export interface Ticks {
  /** Another word after a restart of the machine; times of different epochs cannot be compared. */
  readonly epoch: string;
  /** Milliseconds; never goes back within an epoch. */
  now(): number;
}

// The clock behind hrtime counts from the start of the machine, not of the process.
export const machineTicks: Ticks = {
  epoch: readEpoch(),
  now: () => Number(process.hrtime.bigint() / 1_000_000n),
};

/** Without it a time that lies ahead of the clock still tells that the machine was restarted. */
function readEpoch(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return '';
  }
}
