// What a run of the agent is asked with, by a command, a job or code; and what of it the door and the limits take.
import { type Budget, type BudgetQuestion, tightenBudget } from '../../agent/budget.ts';
import type { RunState } from '../../agent/run-state.ts';
import type { TraceEvent } from '../../agent/session.ts';
import type { Language } from '../../base/language.ts';
import type { Model } from '../../model/model.ts';
import type { Recording } from '../../model/recorded.ts';
import type { DoorOptions } from '../open-door.ts';
import type { Runtime } from '../runtime.ts';
import type { ChangeWishes } from '../workspace/settle.ts';
import { allowanceOfRole, contextOf, type WantedRole } from './role.ts';

type ForDoor =
  | 'ask'
  | 'askHost'
  | 'effectsOnly'
  | 'offersGrants'
  | 'yes'
  | 'debug'
  | 'private'
  | 'onProgress'
  | 'onStderr'
  | 'tag'
  | 'approvals'
  | 'interrupts'
  | 'tracer'
  | 'roles'
  | 'within'
  | keyof ChangeWishes;

export interface RunOrder extends Pick<DoorOptions, ForDoor> {
  readonly version: string;
  /** As on the command line; the settings decide without it. */
  readonly model?: string | undefined;
  /** Another model than any of those; for whoever drives runs from code. */
  readonly given?: Model;
  /** Hands on what the model answers, so that it can be repeated later. */
  readonly onAnswer?: (recording: Recording) => void;
  /** Of what the offline model answers; without it that of the request, else of the machine. */
  readonly language?: Language;
  /** Whose part the agent plays. */
  readonly role?: WantedRole;
  /** What the run is part of: stands in every event and request as `request_id`; a new one unless given. */
  readonly requestId?: string;
  readonly budget?: Partial<Budget>;
  readonly skillBudgets?: RunState['skill_limits'];
  /** Asks a person at the end of a budget whether to go on with as much again. */
  readonly goOn?: (question: BudgetQuestion) => Promise<boolean>;
  /** Stops after what is under way. */
  readonly stop?: AbortSignal;
  /** Ends what is under way, too. */
  readonly abort?: AbortSignal;
  readonly trace?: (event: TraceEvent) => void;
}

export function limitsOf({ config: { budgets } }: Runtime, { budget, role }: RunOrder): Budget {
  const { turns, toolCalls, scriptRuns, tokens, seconds, cost } = budgets;
  // Whoever types the command is the user: what they say holds, in both directions.
  const limits = { turns, tool_calls: toolCalls, script_runs: scriptRuns, tokens, seconds, cost, ...budget };
  return role?.maxTurns === undefined ? limits : tightenBudget(limits, { turns: role.maxTurns });
}

/** What opens the door of a run, whether it begins or is resumed. */
export function doorOptionsOf({ request, role }: RunState, order: RunOrder): DoorOptions {
  const { role: _role, abort, ...rest } = order;
  return {
    ...rest,
    kind: 'run',
    request: request.text,
    context: contextOf(role, order.requestId),
    ...(role && { role: allowanceOfRole(role) }),
    ...(abort && { signal: abort }),
  };
}
