// `skillwright/ai-sdk`: the toolset as tools of the AI SDK, with its own approval of tool calls. It imports nothing of `ai`.
import type { SkillTool, SkillToolName, ToolResult } from '../index.ts';
import { type AnsweredMessages, answerOf, noAnswersIn } from './ai-sdk-message.ts';
import type { Answers } from './answers.ts';
import { executeWithProgress, type SkillProgress } from './progress.ts';
import { byName, openSet, type SkillToolsOptions, type SkillToolsSet } from './set.ts';
import { type StandardSchema, standardSchema } from './standard-schema.ts';

export type { SkillProgress, SkillToolsOptions, SkillToolsSet };

/** A tool as the AI SDK takes it in `tools`. */
export interface AiSdkTool {
  readonly description: string;
  readonly inputSchema: StandardSchema;
  /** Yields how far a script is, and at last the result. */
  execute(input: unknown, options: AiSdkCall): AsyncGenerator<SkillProgress | ToolResult>;
}

/** What the AI SDK tells a tool about its call. */
export interface AiSdkCall extends AnsweredMessages {
  readonly toolCallId: string;
  readonly abortSignal?: AbortSignal | undefined;
}

/** A call before it is made, as the AI SDK tells it to `toolApproval`. */
export interface AiSdkApprovalQuestion extends AnsweredMessages {
  readonly toolCall: { readonly toolName: string; readonly toolCallId: string; readonly input: unknown };
  readonly tools?: unknown;
}

/** Undefined: not ours, or nothing to decide before it is done. */
export type AiSdkApproval =
  | { readonly type: 'approved'; readonly reason: string }
  | { readonly type: 'denied'; readonly reason: string }
  | { readonly type: 'user-approval'; readonly reason: string }
  | undefined;

/** Skills for `generateText`, `streamText` and `ToolLoopAgent`. */
export interface AiSdkSkills extends SkillToolsSet {
  readonly tools: Readonly<Record<SkillToolName, AiSdkTool>>;
  /** What policy says: the rule that denies, the question for the user. For tools of others it returns undefined. */
  toolApproval(question: AiSdkApprovalQuestion): Promise<AiSdkApproval>;
  /** Records a no in the step that brings it, instead of with the next call or at the end; it changes nothing. */
  prepareStep(step: AnsweredMessages): Promise<undefined>;
}

/**
 * Opens the skills of a project for the AI SDK (7 or newer). Throws a Fault for options that are none.
 * @example
 * await using skills = await skillTools({ project: '.' });
 * const { tools, toolApproval, instructions } = skills;
 * const agent = new ToolLoopAgent({ model, instructions, tools, toolApproval });
 */
export async function skillTools(options: SkillToolsOptions = {}): Promise<AiSdkSkills> {
  const { toolset, answers, shared } = await openSet(options);
  const { instructions, runId, changes, apply, close } = shared;
  const tools = byName(toolset.tools, (tool) => toolFor(tool, answers));
  return {
    ...{ instructions, runId, changes, apply, close, [Symbol.asyncDispose]: close },
    tools,
    async toolApproval({ toolCall, messages, tools: offered }) {
      await recordNo(messages, answers);
      const ours = toolset.tools.find(({ name }) => name === toolCall.toolName);
      return ours && isOffered(tools[ours.name], ours.name, offered)
        ? await approvalOf(toolCall, messages, ours, answers)
        : undefined;
    },
    async prepareStep({ messages }) {
      await recordNo(messages, answers);
      return undefined;
    },
  };
}

/** A program may have put a tool of its own under one of our names. */
function isOffered(tool: AiSdkTool, name: string, offered: unknown): boolean {
  if (typeof offered !== 'object' || offered === null) return true;
  return Object.entries(offered).some(([key, value]) => key === name && value === tool);
}

function toolFor(tool: SkillTool, answers: Answers): AiSdkTool {
  const { description, inputSchema } = tool;
  return {
    description,
    inputSchema: standardSchema(inputSchema),
    async *execute(input, { toolCallId, messages, abortSignal }) {
      await recordNo(messages, answers);
      // A yes that stands in messages alone, for a call that was never asked about here, is nobody's.
      const isApproved = answerOf(toolCallId, messages)?.approved === true;
      const approval = isApproved ? answers.takeYes(toolCallId) : undefined;
      yield* executeWithProgress(tool, input, { approval, signal: abortSignal });
    },
  };
}

async function approvalOf(
  { toolCallId, input }: AiSdkApprovalQuestion['toolCall'],
  messages: AnsweredMessages['messages'],
  tool: SkillTool,
  answers: Answers,
): Promise<AiSdkApproval> {
  // Asked again after the answer: the yes is about what was shown then, and about nothing where nothing was shown here.
  const isAnswered = answerOf(toolCallId, messages) !== undefined;
  const decision = await (isAnswered ? tool.decide(input) : answers.decide(toolCallId, tool, input));
  const { effect, reason, question, approval, layers } = decision;
  if (effect === 'deny') return { type: 'denied', reason };
  if (effect === 'allow') return layers.length > 0 ? { type: 'approved', reason } : undefined;
  // Nobody here can answer it: the call is made, waits for a terminal, and its result says so.
  return approval === undefined ? undefined : { type: 'user-approval', reason: question ?? reason };
}

async function recordNo(messages: AnsweredMessages['messages'], answers: Answers): Promise<void> {
  for (const { toolCallId, reason } of noAnswersIn(messages)) await answers.sayNo(toolCallId, reason);
}
