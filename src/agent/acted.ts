// The result of one action, as the loop continues with it.
import type { InterruptedOutcome } from '../base/outcome.ts';

export interface Acted {
  readonly state: string;
  readonly text: string;
  /** It may have changed something. */
  readonly effect: boolean;
  /** The run has to wait for this. */
  readonly waiting?: InterruptedOutcome;
  readonly artifacts?: readonly string[];
}
