// What came of a process that a call started, before its outcome is made.
import type { HostAttempt } from '../network/attempt.ts';
import type { CopyReport } from '../process/copy-out.ts';
import type { Ended, Tier } from '../process/order.ts';

export interface Executed {
  readonly ended: Ended;
  readonly outputs: CopyReport;
  /** So many files in its temporary folder went with it, which nobody had named. */
  readonly dropped: number;
  /** Where the outputs lie now. */
  readonly outputFolder: string;
  /** The time it had. */
  readonly seconds: number;
  /** The file that sets that time, where the skill does. */
  readonly limitIn?: string;
  /** It had the network of the machine. */
  readonly network: boolean;
  /** What a proxy of its own saw, where it had one. */
  readonly attempts?: readonly HostAttempt[];
  /** As a person calls the skill it belongs to. */
  readonly skill?: string;
  readonly tier: Tier;
  readonly notEnforced: readonly string[];
  /** The question it left in its file. */
  readonly asked?: string;
}
