// What the code that calls us is asked while something runs, and what it may answer: one function for every kind.
import type { ApprovalFacts } from '../../../policy/question/facts.ts';
import type { CallView } from '../../../tools/call-view.ts';
import type { RunBudget } from './budget.ts';
import type { ProjectChange } from './change.ts';

interface Asked {
  /** All that a person decides on, as text in the language of the handle. */
  readonly text: string;
}

/** May this call run? `yes` is for this very call, `run` for this skill and tool until the run ends. */
export interface CallQuestion extends Asked, Pick<ApprovalFacts, 'reach' | 'role' | 'skill' | 'since'> {
  readonly about: 'call';
  readonly tool: string;
  readonly risk: 'low' | 'medium' | 'high';
  /** Of the skill's exact files; empty for a call without a skill. */
  readonly digest: string;
  /** The argument vector, or `name=value`; one entry is one word. */
  readonly words: readonly string[];
  /** What will happen, for whoever shows it otherwise than as text. */
  readonly view?: CallView;
  readonly network: boolean;
  readonly tier?: string;
  readonly notEnforced?: readonly string[];
}

/** May the call reach this host? Whatever it can read may be sent there. `run` is for the rest of the run. */
export interface HostAsked extends Asked {
  readonly about: 'host';
  readonly skill: string;
  readonly host: string;
  readonly port: number;
}

/** May the call have the whole network, where the sandbox cannot tell hosts apart? */
export interface NetworkAsked extends Asked {
  readonly about: 'network';
  readonly skill: string;
  readonly hosts: readonly string[];
  readonly tier: string;
}

/** May these changes reach the project? `yes` is for all that need no question of their own. */
export interface ChangesAsked extends Asked {
  readonly about: 'changes';
  readonly runId: string;
  readonly changes: readonly ProjectChange[];
}

/** The budget is used up: may the run go on with as much again? */
export interface BudgetAsked extends Asked {
  readonly about: 'budget';
  readonly budget: keyof RunBudget;
  readonly limit: number;
  /** What a yes adds. */
  readonly more: number;
}

/** Something that somebody has to decide before it goes on. */
export type Question = CallQuestion | HostAsked | NetworkAsked | ChangesAsked | BudgetAsked;

/**
 * A yes or a no. `run`: for the rest of the run. `{ no }`: why not, which the model reads. `{ only }`: of changes, these
 * paths alone, those that need a yes of their own only with `guarded`. Whatever does not fit the question counts as no.
 */
export type QuestionAnswer =
  | 'yes'
  | 'run'
  | 'no'
  | { readonly no: string }
  | { readonly only: readonly string[]; readonly guarded?: boolean };

/**
 * Decides in the place of a person. The signal says that the answer does not count any more.
 * @example
 * const ask: Ask = async (question) => (question.about === 'changes' ? 'yes' : 'no');
 */
export type Ask = (question: Question, signal: AbortSignal) => QuestionAnswer | Promise<QuestionAnswer>;
