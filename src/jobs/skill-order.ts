// What `executeSkill` takes and returns. Types only: they are public, and import nothing a user would have to install.
import type { FlatOutcome } from '../base/flat-outcome.ts';
import type { Json } from '../base/json.ts';
import type { CallContext } from '../door/call.ts';

/** An action of a skill of a role, with its parameters, in the names of the skill protocol. */
export interface SkillOrder {
  readonly agent_role: string;
  readonly skill_name: string;
  readonly action: string;
  readonly params?: Readonly<Record<string, Json>>;
  /** `agent_id` is the role unless given. */
  readonly context?: Partial<CallContext>;
  /** Seconds; lowers the skill's time limit, never raises it. */
  readonly timeout?: number;
}

/** What the skill answered, and the whole outcome beside it. */
export type SkillResult =
  | {
      readonly success: true;
      readonly action: string;
      readonly data: unknown;
      readonly message?: string;
      readonly metadata?: Readonly<Record<string, unknown>>;
      readonly outcome: FlatOutcome;
    }
  | {
      readonly success: false;
      readonly action: string;
      readonly error: { readonly code: string; readonly message: string; readonly details?: unknown };
      readonly outcome: FlatOutcome;
    };
