// `skillwright/mastra`: the toolset as tools of Mastra, which suspend while a person is asked. It imports nothing of Mastra.
import type { SkillTool, SkillToolName, ToolResult } from '../index.ts';
import type { Answers } from './answers.ts';
import { byName, openSet, type SkillToolsOptions, type SkillToolsSet } from './set.ts';
import { type StandardSchema, standardSchema } from './standard-schema.ts';

export type { SkillToolsOptions, SkillToolsSet };

/** How Mastra knows its own tools, also those that another copy of it has made. */
const MARK = Symbol.for('mastra.core.tool.Tool');

/** A tool as Mastra takes it in `tools`. */
export interface MastraTool {
  readonly id: SkillToolName;
  readonly description: string;
  readonly inputSchema: StandardSchema;
  /** Undefined while a person is asked. */
  execute(input: unknown, context?: MastraCall): Promise<ToolResult | undefined>;
}

/** What Mastra tells a tool about its call. */
export interface MastraCall {
  readonly abortSignal?: AbortSignal | undefined;
  /** Absent outside of an agent. */
  readonly agent?:
    | {
        readonly toolCallId: string;
        readonly suspend: (payload: SkillSuspension) => Promise<unknown>;
        readonly resumeData?: unknown;
      }
    | undefined;
}

/** What a person decides on, as the payload of the suspension. */
export interface SkillSuspension {
  readonly question: string;
}

/** Skills for `Agent` of Mastra. */
export interface MastraSkills extends SkillToolsSet {
  readonly tools: Record<SkillToolName, MastraTool>;
}

/**
 * Opens the skills of a project for Mastra (1.71 or newer). Throws a Fault for options that are none.
 * @example
 * await using skills = await skillTools({ project: '.' });
 * const agent = new Agent({ id: 'notes', name: 'notes', model, instructions: skills.instructions, tools: skills.tools });
 * const { runId, suspendPayload } = await agent.generate('note that I call Ada');
 * console.log(suspendPayload?.suspendPayload.question);
 * await agent.approveToolCallGenerate({ runId });
 */
export async function skillTools(options: SkillToolsOptions = {}): Promise<MastraSkills> {
  const { toolset, answers, shared } = await openSet(options);
  const { instructions, runId, changes, apply, close } = shared;
  const tools = byName(toolset.tools, (tool) => toolFor(tool, answers));
  return { ...{ instructions, runId, changes, apply, close, [Symbol.asyncDispose]: close }, tools };
}

function toolFor(tool: SkillTool, answers: Answers): MastraTool {
  const { name, description, inputSchema } = tool;
  const marked = { [MARK]: true };
  return {
    ...marked,
    ...{ id: name, description, inputSchema: standardSchema(inputSchema) },
    async execute(input, { abortSignal, agent } = {}) {
      const signal = abortSignal && { signal: abortSignal };
      if (!agent) return await tool.execute(input, { ...signal });
      const { toolCallId, suspend, resumeData } = agent;
      const told = answerIn(resumeData);
      // A model can write the answer into its own arguments: it counts for a call that was asked about here, and no other.
      if (told && answers.question(toolCallId) !== undefined) {
        if (!told.approved) return await answers.sayNo(toolCallId, told.reason);
        return await tool.execute(input, { ...signal, approval: answers.takeYes(toolCallId) ?? false });
      }
      const { approval, question } = await answers.decide(toolCallId, tool, input);
      if (approval === undefined || question === undefined) return await tool.execute(input, { ...signal });
      await suspend({ question });
      return undefined;
    },
  };
}

function answerIn(data: unknown): { readonly approved: boolean; readonly reason?: string } | undefined {
  if (typeof data !== 'object' || data === null || !('approved' in data)) return undefined;
  const reason = 'reason' in data && typeof data.reason === 'string' && { reason: data.reason };
  return { approved: data.approved === true, ...reason };
}
