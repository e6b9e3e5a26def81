// A run on behalf of a role of the project: its text guides the agent, its list and its limit confine it.
import type { RunRole } from '../../agent/run-state.ts';
import { randomId } from '../../base/ids.ts';
import type { CallContext } from '../../door/call.ts';
import type { Allowance } from '../../policy/policy.ts';
import type { ToolRule } from '../../skill/skill.ts';

/** As the files of the role describe it. */
export interface WantedRole {
  readonly name: string;
  readonly instructions?: string;
  readonly allowedTools?: readonly ToolRule[];
  /** Can only lower the user's limit. */
  readonly maxTurns?: number;
}

/** As the state of the run keeps it, so that a resumed run is still the role's. */
export function keepRole({ name, instructions, allowedTools }: WantedRole): RunRole {
  return {
    name,
    ...(instructions !== undefined && { instructions }),
    ...(allowedTools && { allowed_tools: allowedTools }),
  };
}

export function allowanceOfRole({ name, allowed_tools }: RunRole): Allowance {
  return { name, ...(allowed_tools && { allowedTools: allowed_tools }) };
}

export function contextOf(role: RunRole | undefined, request_id = randomId()): CallContext {
  return { request_id, ...(role && { agent_id: role.name }) };
}
