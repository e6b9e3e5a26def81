// A tool for the model of somebody else, as a plain value, and the set of them. Types only: they are public.
import type { Effect, SpokenLayer } from '../../../policy/policy.ts';
import type { CallOptions } from './options.ts';
import type { CallOutcome } from './outcome.ts';
import type { PublishedSkills } from './published.ts';
import type { AppliedChanges, ApplyWish, WaitingChanges } from './runs.ts';

/** A JSON Schema. */
export type ToolSchema = Readonly<Record<string, unknown>>;

/** What a call of the tool can do, as MCP names it. */
export interface ToolAnnotations {
  readonly title: string;
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** What policy says to a call, before it is made; it is decided again when it is. */
export interface ToolDecision {
  readonly effect: Effect;
  /** Which rule decides, in words for whoever asked. */
  readonly reason: string;
  readonly risk: 'low' | 'medium' | 'high';
  readonly layers: readonly SpokenLayer[];
  /** Where the effect is to ask: all that a person decides on, in the language of the handle. */
  readonly question?: string;
  /**
   * Names this very call, with the files of the skill as they are now: `execute` takes it as a yes. Absent where only a
   * person at a terminal can say yes: such a call ends `interrupted`, with the command that decides it.
   */
  readonly approval?: string;
}

/** What a call of a tool may say. */
export interface ToolCallOptions {
  readonly signal?: AbortSignal;
  /**
   * A yes: to the very call that `decide` judged, or with `true` to whatever this input means now. It counts no more
   * than `--yes` of the command line. `false` or `{ no }` is a no, with its reason: it is recorded, and nothing is run.
   */
  readonly approval?: string | boolean | { readonly no: string };
  readonly onProgress?: (progress: { readonly fraction: number; readonly message: string }) => void;
}

/** Nothing of it needs `this`: it can be taken apart and handed on. */
export interface SkillTool {
  readonly name: SkillToolName;
  readonly description: string;
  readonly inputSchema: ToolSchema;
  readonly outputSchema: ToolSchema;
  readonly annotations: ToolAnnotations;
  /** Nothing is done, asked or written down. */
  decide(input: unknown): Promise<ToolDecision>;
  /** Never rejects: what went wrong is told in the result, for the model to read. */
  execute(input: unknown, options?: ToolCallOptions): Promise<ToolResult>;
}

/** The names of the five tools, the same in every framework. */
export type SkillToolName = 'search_skills' | 'load_skill' | 'read_skill_resource' | 'run_skill' | 'get_run';

/** `ok` is false for what did not work out; the fields besides are those of the tool's output schema. */
export type ToolResult = Readonly<Record<string, unknown>> & { readonly ok: boolean };

/** What holds for all calls of a set of tools. */
export interface ToolsOptions extends Pick<CallOptions, 'ask' | 'role' | 'signal' | 'private' | 'context' | 'onEvent'> {
  /** Only these skills. */
  readonly skills?: readonly string[];
}

/**
 * The five tools over one run: its calls share a layer over the project, what a person has approved reaches the project
 * before the result does, and everything else waits for `apply`.
 * @example
 * const { tools, instructions } = await sw.tools();
 * const run = tools.find(({ name }) => name === 'run_skill');
 * const decision = await run?.decide({ skill: 'csv-insights', action: 'analyze', params: { target: 'sales.csv' } });
 */
export interface Toolset {
  readonly tools: readonly SkillTool[];
  /** For the system prompt: in which order the tools are used. */
  readonly instructions: string;
  /** The files of its skills, for whoever hands them on. */
  readonly files: PublishedSkills;
  /** The record of its calls, once there was one. */
  runId(): string | undefined;
  /** What waits to be applied; undefined where nothing does. */
  changes(): Promise<WaitingChanges | undefined>;
  apply(wish?: ApplyWish): Promise<CallOutcome<AppliedChanges>>;
  /** Ends the run; what waits stays for `sw.runs.apply`. */
  close(): Promise<void>;
}
