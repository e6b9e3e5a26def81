// The handle of a project as a program sees it. Types only: this is the page to read.
import type { Language } from '../../../base/language.ts';
import type { Source } from '../../../skill/skill.ts';
import type { Evals } from './evals.ts';
import type { CallToExplain, PolicyVerdict } from './explain.ts';
import type { Grants } from './grants.ts';
import type { Jobs } from './jobs.ts';
import type { CallOptions, ExecOptions } from './options.ts';
import type { CallOutcome } from './outcome.ts';
import type { ExecResult, InvokeResult, Params } from './result.ts';
import type { AgentRun, RunOptions } from './run.ts';
import type { Runs, WaitingChanges } from './runs.ts';
import type { SavedDecision, WaitingQuestion } from './saved-question.ts';
import type { SkillCatalog, SkillInfo, SkillInstructions, SkillResource, SkillSearch, SkillsWish } from './skills.ts';
import type { Toolset, ToolsOptions } from './toolset.ts';

/**
 * One project, opened by `openSkillwright`. Reading methods return what there is and throw a Fault for what is not there;
 * whatever may do something returns an outcome and never throws for what came of it.
 */
export interface Skillwright extends AsyncDisposable {
  readonly project: string;
  readonly home: string;
  readonly language: Language;
  /** The skills a person can use from here, those of roles behind them. */
  skills(wish?: SkillsWish): Promise<SkillInfo[]>;
  /** The skills that fit a request, best first. */
  search(text: string, wish?: { readonly limit?: number; readonly source?: Source }): Promise<SkillSearch>;
  /** The list of skills for a prompt of your own; a request chooses which are described where not all fit. */
  catalog(request?: string, wish?: { readonly tokens?: number }): Promise<SkillCatalog>;
  /** The instructions of a skill. */
  read(name: string, wish?: { readonly source?: Source }): Promise<SkillInstructions>;
  /** One text file of a skill, or one section of it. */
  readResource(name: string, path: string, section?: string): Promise<SkillResource>;
  /** What policy would say to a call; nothing is done. */
  explain(call: CallToExplain): Promise<PolicyVerdict>;
  /**
   * One action of a skill that speaks the protocol.
   * @example
   * const outcome = await sw.call('csv-insights', 'analyze', { target: 'sales.csv' });
   */
  call(skill: string, action: string, params?: Params, options?: CallOptions): Promise<CallOutcome>;
  /** A skill by its name: its command with these parameters or this input, or the text of one to read. */
  invoke(skill: string, input?: string | Params, options?: CallOptions): Promise<CallOutcome<InvokeResult>>;
  /** One script of a skill with its arguments, in the project. */
  exec(
    skill: string,
    script: string,
    args?: readonly string[],
    options?: ExecOptions,
  ): Promise<CallOutcome<ExecResult>>;
  /** The agent does what is asked, with skills: begun at once, read as events, with a promise of the outcome. */
  run(request: string, options?: RunOptions): AgentRun;
  /** Questions that wait for a decision, the oldest first. */
  questions(): Promise<WaitingQuestion[]>;
  /** Decides one; what waited for it goes on, and its end is the outcome. */
  answer(id: string, decision: SavedDecision, options?: RunOptions): Promise<CallOutcome>;
  /** What a run changed and is not in the project yet. */
  changes(run: string): Promise<WaitingChanges>;
  /** Five tools for the model of another framework, as plain values: one run with one layer. */
  tools(options?: ToolsOptions): Promise<Toolset>;
  readonly grants: Grants;
  readonly runs: Runs;
  readonly jobs: Jobs;
  readonly evals: Evals;
  /** Ends whatever is under way, and waits for it. `await using` does it by itself. */
  close(): Promise<void>;
}
