// `skillwright/langchain`: the toolset as tools of LangChain, made by its own `tool`, asked about by LangGraph's `interrupt`.
import type { SkillTool, SkillToolName, ToolCallOptions, ToolResult } from '../index.ts';
import type { Answers } from './answers.ts';
import { type ObjectSchema, objectSchema } from './object-schema.ts';
import { openSet, type SkillToolsOptions, type SkillToolsSet } from './set.ts';

export type { SkillToolsOptions, SkillToolsSet };

/** What a tool of LangChain is made of, beside what it does. */
export interface LangChainFields {
  readonly name: SkillToolName;
  readonly description: string;
  readonly schema: ObjectSchema;
}

/** What LangChain tells a tool about its call. */
export interface LangChainCall {
  readonly toolCall?: { readonly id?: string | undefined } | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a person decides on, in the form of LangChain's middleware for people: `{ decisions: [{ type: 'approve' }] }`. */
export interface LangChainQuestion {
  readonly actionRequests: readonly {
    readonly name: string;
    readonly args: unknown;
    readonly description: string;
  }[];
  readonly reviewConfigs: readonly { readonly actionName: string; readonly allowedDecisions: readonly string[] }[];
}

/** The options of every adapter, and the two functions of LangChain that are used. */
export interface LangChainOptions<Made> extends SkillToolsOptions {
  /** `tool` of `@langchain/core/tools`. */
  readonly tool: (run: (input: unknown, call: LangChainCall) => Promise<string>, fields: LangChainFields) => Made;
  /** `interrupt` of `@langchain/langgraph`; without it a call that needs a yes asks `ask` or ends `interrupted`. */
  readonly interrupt?: (question: LangChainQuestion) => unknown;
}

/** Skills for agents and graphs of LangChain. */
export interface LangChainSkills<Made> extends SkillToolsSet {
  readonly tools: Made[];
}

/**
 * Opens the skills of a project for LangChain (1.2 or newer). Throws a Fault for options that are none.
 * @example
 * await using skills = await skillTools({ project: '.', tool, interrupt });
 * const agent = createAgent({ model, tools: skills.tools, systemPrompt: skills.instructions, checkpointer });
 * await agent.invoke(new Command({ resume: { decisions: [{ type: 'approve' }] } }), config);
 */
export async function skillTools<Made>(options: LangChainOptions<Made>): Promise<LangChainSkills<Made>> {
  const { tool: make, interrupt, ...wish } = options;
  const { toolset, answers, shared } = await openSet(wish);
  const { instructions, runId, changes, apply, close } = shared;
  const tools = toolset.tools.map((one) => {
    const run = runnerOf(one, answers, interrupt);
    return make(async (input, call) => JSON.stringify(await run(input, call)), fieldsOf(one));
  });
  return { ...{ instructions, runId, changes, apply, close, [Symbol.asyncDispose]: close }, tools };
}

function fieldsOf({ name, description, inputSchema }: SkillTool): LangChainFields {
  return { name, description, schema: objectSchema(inputSchema) };
}

type Run = (input: unknown, call: LangChainCall) => Promise<ToolResult | undefined>;

function runnerOf(tool: SkillTool, answers: Answers, interrupt: LangChainOptions<unknown>['interrupt']): Run {
  return async (input, { toolCall, signal }) => {
    const options: ToolCallOptions = { ...(signal && { signal }) };
    const { id } = toolCall ?? {};
    if (!interrupt || id === undefined) return await tool.execute(input, options);
    // A graph that goes on runs the call from its start: what was shown then stays what the answer is about.
    const wasAsked = answers.question(id) !== undefined;
    if (!wasAsked) await answers.decide(id, tool, input);
    const question = answers.question(id);
    if (question === undefined) return await tool.execute(input, options);
    const { approved, reason } = answerIn(interrupt(questionOf(tool, input, question)));
    // It returned at once: the answer is to a question of another process, which may have shown other files.
    if (!wasAsked) return await tool.execute(input, options);
    if (!approved) return await answers.sayNo(id, reason);
    return await tool.execute(input, { ...options, approval: answers.takeYes(id) ?? false });
  };
}

function questionOf({ name }: SkillTool, args: unknown, description: string): LangChainQuestion {
  return {
    actionRequests: [{ name, args, description }],
    reviewConfigs: [{ actionName: name, allowedDecisions: ['approve', 'reject'] }],
  };
}

/** Whatever is no `approve` is a no. */
function answerIn(resumed: unknown): { readonly approved: boolean; readonly reason?: string } {
  const decisions = typeof resumed === 'object' && resumed !== null && 'decisions' in resumed ? resumed.decisions : [];
  const decision: unknown = Array.isArray(decisions) ? decisions[0] : undefined;
  if (typeof decision !== 'object' || decision === null) return { approved: false };
  const reason = 'message' in decision && typeof decision.message === 'string' && { reason: decision.message };
  return { approved: 'type' in decision && decision.type === 'approve', ...reason };
}
