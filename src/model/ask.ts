// One question to a model in the terms of the AI SDK, and its answer as raw text: a tool's input, else what it wrote.
import { isRecord } from '../base/json.ts';
import type { Mode } from './endpoint.ts';
import { cutOff, failedInStream } from './failure.ts';
import type { ModelRequest } from './model.ts';
import type { LanguageModel, SdkOptions as Options } from './provider/provider.ts';

type Tool = Extract<NonNullable<Options['tools']>[number], { type: 'function' }>;
type Finish = Awaited<ReturnType<LanguageModel['doGenerate']>>['finishReason'];
type Counts = Awaited<ReturnType<LanguageModel['doGenerate']>>['usage'];

export interface ModelAnswer {
  readonly text: string;
  /** Undefined where the server does not count. */
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
}

const TOOL = 'decide';
const TOOL_DESCRIPTION = 'Say what to do next: exactly one action, and a change of the plan where one is due.';
/** Some models may not be forced to call it, and some servers drop what they do not know. */
const TOOL_INSTRUCTION = `Answer by calling the tool \`${TOOL}\` exactly once.`;
const JSON_INSTRUCTION = 'Answer with exactly one JSON object and nothing around it. It satisfies this JSON Schema:';

/** `settings` are those of the provider, in its own terms. */
export function callOptions(
  settings: Partial<Options>,
  request: ModelRequest,
  mode: Mode,
  abortSignal: AbortSignal,
): Options {
  const prompt = promptOf(request, mode);
  if (mode === 'json') return { ...settings, prompt, abortSignal, responseFormat: { type: 'json' } };
  const inputSchema = (isRecord(request.schema) ? request.schema : { type: 'object' }) as Tool['inputSchema'];
  const tool: Tool = { type: 'function', name: TOOL, description: TOOL_DESCRIPTION, inputSchema };
  return { ...settings, prompt, abortSignal, tools: [tool], toolChoice: { type: 'tool', toolName: TOOL } };
}

export async function askPlain(model: LanguageModel, options: Options): Promise<ModelAnswer> {
  const { content, finishReason, usage } = await model.doGenerate(options);
  refuseUnfinished(finishReason);
  const calls = content.filter((part) => part.type === 'tool-call').map(({ input }) => input);
  const text = content.filter((part) => part.type === 'text').map((part) => part.text);
  return answer(calls, text.join(''), usage);
}

interface Streaming {
  readonly mode: Mode;
  readonly show: (piece: string) => void;
  /** Takes secrets out of what a server said. */
  readonly hide: (text: string) => string;
}

/** Shows the pieces of the text it returns, and only those. */
export async function askStreamed(model: LanguageModel, options: Options, streaming: Streaming): Promise<ModelAnswer> {
  const { mode, show, hide } = streaming;
  const { stream } = await model.doStream(options);
  const calls: string[] = [];
  let text = '';
  let shownCall: string | undefined;
  let end: { finishReason: Finish; usage: Counts } | undefined;
  for await (const part of stream) {
    if (part.type === 'error') throw failedInStream(part.error, hide);
    if (part.type === 'finish') end = part;
    if (part.type === 'tool-call') calls.push(part.input);
    if (part.type === 'tool-input-delta') {
      shownCall ??= part.id;
      if (shownCall === part.id) show(part.delta);
    }
    if (part.type === 'text-delta') {
      text += part.delta;
      if (mode === 'json') show(part.delta);
    }
  }
  refuseUnfinished(end?.finishReason);
  const complete = answer(calls, text, end?.usage);
  // In tool mode prose is not shown while a call may still follow it.
  if (mode === 'tool' && shownCall === undefined && complete.text !== '') show(complete.text);
  return complete;
}

/** Several calls stay several objects, so that whoever parses the text can say so. */
function answer(calls: readonly string[], text: string, usage: Counts | undefined): ModelAnswer {
  return {
    text: calls.length > 0 ? calls.join('\n') : text,
    inputTokens: usage?.inputTokens.total,
    outputTokens: usage?.outputTokens.total,
  };
}

function refuseUnfinished(reason: Finish | undefined): void {
  if (reason === undefined || reason.unified === 'interrupted' || reason.unified === 'error') throw cutOff();
}

/** One system message at the head: several, or later ones, are refused by many servers. */
function promptOf({ messages, schema }: ModelRequest, mode: Mode): Options['prompt'] {
  const instructions = messages.filter(({ role }) => role === 'system').map(({ content }) => content);
  instructions.push(mode === 'json' ? `${JSON_INSTRUCTION}\n${JSON.stringify(schema)}` : TOOL_INSTRUCTION);
  const prompt: Options['prompt'] = [{ role: 'system', content: instructions.join('\n\n') }];
  for (const { role, content } of messages) {
    if (role !== 'system') prompt.push({ role, content: [{ type: 'text', text: content }] });
  }
  return prompt;
}
