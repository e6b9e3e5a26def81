// The state of a run as plain data: saved after every turn, and a resumed run starts from it.
import type { TextRef } from '../audit/event.ts';
import type { Decision, Plan } from '../model/action.ts';
import type { Source, ToolRule } from '../skill/skill.ts';
import type { SkillId } from '../skill/skill-id.ts';
import { type Budget, NOTHING_SPENT, remaining, spend, tightenBudget } from './budget.ts';
import type { Observation } from './observation.ts';
import { type LoopProgress, NO_HISTORY } from './progress.ts';
import type { RunRequest } from './request.ts';

/** A skill whose instructions the model has. */
export interface LoadedSkill {
  readonly skill_id: SkillId;
  readonly name: string;
  readonly source: Source;
  readonly folder: string;
  /** Digest of its instructions as they were read. */
  readonly sha256: string;
}

/** An effect that was announced, with an unknown result. */
export interface Uncertain {
  readonly call: string;
  readonly tool: string;
  readonly skill?: string;
  readonly args: string;
}

/** The role of the agent in this run: its guidance, and the tools it is limited to. */
export interface RunRole {
  readonly name: string;
  readonly instructions?: string;
  /** Absent: no restriction of its own. Empty: no tool at all. */
  readonly allowed_tools?: readonly ToolRule[];
}

export interface RunState {
  readonly request: RunRequest;
  /** As a person would name it on the command line. */
  readonly model: string;
  readonly role?: RunRole;
  /** What the model is told of its surroundings; the same in every turn, also of a resumed run. */
  whereabouts?: string;
  /** The tools of servers of others, in their words; the same in every turn, also of a resumed run. */
  servers?: string;
  /** The skills a model could choose from when the run was opened, kept beside the log once; not of an inner run. */
  skill_index?: TextRef;
  readonly limits: Budget;
  /** Limits for the calls of single skills, by name. */
  readonly skill_limits: Readonly<Record<string, Partial<Budget>>>;
  /** What a person added to the limits when they were used up. */
  extended?: Budget;
  spent: Budget;
  spent_by_skill: Record<string, Budget>;
  plan?: Plan;
  loaded_skills: LoadedSkill[];
  observations: Observation[];
  /** How many older observations are only in the record. */
  forgotten: number;
  progress: LoopProgress;
  uncertain: Uncertain[];
  /** Files that calls of this run wrote, as they were named. */
  artifacts: string[];
  /** An exhausted budget: only a final answer is accepted now. */
  refused?: 'tool_calls' | 'script_runs';
  /** The decision that started an inner run, while that is in progress. */
  pending?: Decision;
  child?: RunState;
}

export interface NewRun {
  readonly request: RunRequest;
  readonly model: string;
  readonly role?: RunRole;
  readonly limits: Budget;
  readonly skillLimits?: RunState['skill_limits'];
  readonly whereabouts?: string | undefined;
  readonly servers?: string | undefined;
}

export function newRunState(wanted: NewRun): RunState {
  const { request, model, role, limits, skillLimits = {}, whereabouts, servers } = wanted;
  return {
    request,
    model,
    ...(role && { role }),
    ...(whereabouts !== undefined && { whereabouts }),
    ...(servers !== undefined && { servers }),
    limits,
    skill_limits: skillLimits,
    spent: NOTHING_SPENT,
    spent_by_skill: {},
    loaded_skills: [],
    observations: [],
    forgotten: 0,
    progress: NO_HISTORY,
    uncertain: [],
    artifacts: [],
  };
}

/** The user's limits, lowered by the plan; and what a person added since. */
export function limitsOf(state: RunState): Budget {
  return spend(plannedLimits(state), state.extended ?? NOTHING_SPENT);
}

export function plannedLimits({ limits, plan }: RunState): Budget {
  const { max_turns, max_tool_calls, max_script_runs } = plan?.constraints ?? {};
  return tightenBudget(limits, {
    ...(max_turns !== undefined && { turns: max_turns }),
    ...(max_tool_calls !== undefined && { tool_calls: max_tool_calls }),
    ...(max_script_runs !== undefined && { script_runs: max_script_runs }),
  });
}

export function leftOf(state: RunState): Budget {
  return remaining(limitsOf(state), state.spent);
}
