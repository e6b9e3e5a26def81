// `skillwright/openai-agents`: the toolset as function tools of the OpenAI Agents SDK, with its own interruptions.
import { jsonIfValid } from '../base/json.ts';
import type { SkillTool, SkillToolName } from '../index.ts';
import type { Answers } from './answers.ts';
import { type ObjectSchema, objectSchema } from './object-schema.ts';
import { openSet, type SkillToolsOptions, type SkillToolsSet } from './set.ts';

export type { SkillToolsOptions, SkillToolsSet };

/** What the Agents SDK knows of the answers to its interruptions. */
export interface AgentsRunContext {
  isToolApproved(call: { toolName: string; callId: string }): boolean | undefined;
  getRejectionMessage(toolName: string, callId: string): string | undefined;
}

/** A tool as the Agents SDK takes it in `tools`. */
export interface AgentsTool {
  readonly type: 'function';
  readonly name: SkillToolName;
  readonly description: string;
  readonly parameters: ObjectSchema;
  readonly strict: false;
  /** The result as JSON, for the model. */
  invoke(context: AgentsRunContext, input: string, details?: AgentsCall): Promise<string>;
  needsApproval(context: AgentsRunContext, input: unknown, callId?: string): Promise<boolean>;
  isEnabled(context: AgentsRunContext): Promise<boolean>;
}

/** What the Agents SDK tells a tool about its call. */
export interface AgentsCall {
  readonly toolCall?: { readonly callId: string };
  readonly signal?: AbortSignal;
}

/** Skills for `Agent` and `run` of the Agents SDK. */
export interface AgentsSkills extends SkillToolsSet {
  readonly tools: AgentsTool[];
  /** All that a person decides on, for one of the `interruptions` of a run; undefined for those of other tools. */
  question(interruption: { readonly rawItem: object }): string | undefined;
}

/**
 * Opens the skills of a project for the OpenAI Agents SDK (0.20 or newer). Throws a Fault for options that are none.
 * @example
 * await using skills = await skillTools({ project: '.' });
 * const agent = new Agent({ name: 'notes', instructions: skills.instructions, tools: skills.tools });
 * let result = await run(agent, 'note that I call Ada');
 * for (const one of result.interruptions) console.log(skills.question(one)), result.state.approve(one);
 * result = await run(agent, result.state);
 */
export async function skillTools(options: SkillToolsOptions = {}): Promise<AgentsSkills> {
  const { toolset, answers, shared } = await openSet(options);
  const { instructions, runId, changes, apply, close } = shared;
  return {
    ...{ instructions, runId, changes, apply, close, [Symbol.asyncDispose]: close },
    tools: toolset.tools.map((tool) => toolFor(tool, answers)),
    question: ({ rawItem }) =>
      'callId' in rawItem && typeof rawItem.callId === 'string' ? answers.question(rawItem.callId) : undefined,
  };
}

function toolFor(tool: SkillTool, answers: Answers): AgentsTool {
  const { name, description, inputSchema } = tool;
  return {
    ...{ type: 'function', name, description, parameters: objectSchema(inputSchema), strict: false },
    async needsApproval(context, input, callId) {
      await recordNo(context, answers);
      if (callId === undefined) return false;
      // What is denied, and what only a terminal answers, the call itself tells the model.
      return (await answers.decide(callId, tool, input)).approval !== undefined;
    },
    async invoke(context, input, { toolCall, signal } = {}) {
      await recordNo(context, answers);
      const { callId } = toolCall ?? {};
      const isApproved = callId !== undefined && context.isToolApproved({ toolName: name, callId }) === true;
      const approval = isApproved ? answers.takeYes(callId) : undefined;
      // What is no JSON the tool refuses in words the model understands.
      const done = await tool.execute(jsonIfValid(input) ?? input, {
        ...(signal && { signal }),
        ...(approval !== undefined && { approval }),
      });
      return JSON.stringify(done);
    },
    // Asked before each turn, so also before the one that learns of a no.
    async isEnabled(context) {
      await recordNo(context, answers);
      return true;
    },
  };
}

async function recordNo(context: AgentsRunContext, answers: Answers): Promise<void> {
  for (const { id, toolName } of answers.open())
    if (context.isToolApproved({ toolName, callId: id }) === false)
      await answers.sayNo(id, context.getRejectionMessage(toolName, id));
}
