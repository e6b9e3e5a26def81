// What came of a process that a call started, before its outcome is made.
import type { CopyReport } from '../process/copy-out.ts';
import type { Ended, Tier } from '../process/order.ts';

export interface Executed {
  readonly ended: Ended;
  readonly outputs: CopyReport;
  /** Where the outputs lie now. */
  readonly outputFolder: string;
  /** The time it had. */
  readonly seconds: number;
  /** The file that sets that time, where the skill does. */
  readonly limitIn?: string;
  readonly network: boolean;
  readonly tier: Tier;
  readonly notEnforced: readonly string[];
  /** The question it left in its file. */
  readonly asked?: string;
}
