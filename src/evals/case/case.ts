// One eval case: the request, what must and must not happen, and how often it has to succeed.
import type { Json } from '../../base/json.ts';
import type { State } from '../../base/outcome.ts';
import type { ScriptedAnswer } from '../../model/scripted.ts';
import type { Matcher } from '../matcher/plain-form.ts';

/** One request with what is expected of its answer, as `readSuite` reads it from a file. */
export interface Case {
  readonly id: string;
  /** Its file and line, for messages. */
  readonly file: string;
  readonly line?: number;
  /** The skill whose folder contains it. */
  readonly skill?: string;
  /** Requests, one after another in one project folder. */
  readonly turns: readonly string[];
  /** Written into that folder first: text by name. */
  readonly files: Readonly<Record<string, string>>;
  /** Limits of the run that are lower than the defaults. */
  readonly budget: Readonly<Record<string, number>>;
  readonly skills: SkillExpectation;
  readonly steps: readonly StepRule[];
  readonly output: readonly Matcher[];
  /** How the run has to end. */
  readonly state?: State;
  /** The budget that has to be exhausted. */
  readonly exhausted?: string;
  readonly limits: CaseLimits;
  readonly mock?: readonly ScriptedAnswer[];
  readonly repeat?: number;
  readonly pass: PassRule;
  readonly tags: readonly string[];
}

export interface SkillExpectation {
  readonly required: readonly string[];
  readonly anyOf: readonly string[];
  readonly forbidden: readonly string[];
  /** No skill at all. */
  readonly none: boolean;
  /** No skill besides those that are named. */
  readonly exact: boolean;
}

/** How many of the repeated runs have to pass: a word, or a share. */
export type PassRule = 'all' | 'majority' | 'any' | number;

export interface CaseLimits {
  readonly maxTurns?: number;
  readonly maxToolCalls?: number;
  readonly maxScriptRuns?: number;
  readonly maxTokens?: number;
  readonly maxSeconds?: number;
  readonly maxCost?: number;
  readonly forbiddenTools: readonly string[];
  readonly requiredTools: readonly string[];
}

/** Which steps of a run a rule matches. */
export interface StepPattern {
  /** A tool, or load_skill, load_resource, invoke_skill, final_answer; `*` for any. */
  readonly step: string;
  readonly skill?: string;
  readonly status?: string;
}

export interface ArgsPattern {
  /** Found in the JSON text of the arguments. */
  readonly regex?: string;
  /** Every part of it is in the arguments. */
  readonly subset?: Json;
}

export type StepRule =
  | {
      readonly kind: 'exact' | 'in_order' | 'any_order' | 'before' | 'immediately_after' | 'never_sequence';
      readonly steps: readonly StepPattern[];
    }
  | { readonly kind: 'count'; readonly step: StepPattern; readonly min: number; readonly max: number }
  | { readonly kind: 'never' | 'denied'; readonly step: StepPattern }
  | { readonly kind: 'args_match'; readonly step: StepPattern; readonly args: ArgsPattern }
  | { readonly kind: 'status'; readonly step: StepPattern; readonly is: string }
  | { readonly kind: 'no_repeat'; readonly times: number };

export const NO_SKILLS: SkillExpectation = { required: [], anyOf: [], forbidden: [], none: false, exact: false };

/** Whether it expects something about which skills are chosen. */
export function isTriggerCase({ skills }: Case): boolean {
  return skills.none || [skills.required, skills.anyOf, skills.forbidden].some((list) => list.length > 0);
}

/** Only excludes skills: then doing nothing is right. */
export function isNegative(test: Case): boolean {
  const { skills, steps, output, limits, state } = test;
  const wantsSkill = skills.required.length > 0 || skills.anyOf.length > 0;
  const wantsMore = steps.length > 0 || output.length > 0 || limits.requiredTools.length > 0 || state !== undefined;
  return isTriggerCase(test) && !wantsSkill && !wantsMore;
}
