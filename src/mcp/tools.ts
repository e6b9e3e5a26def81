// The tools of the toolset as MCP tells them: listed with schemas and annotations, called with progress, cancellation and questions.
import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server';
import type { ToolResult, ToolSchema } from '../app/library/public/toolset.ts';
import { isRecord } from '../base/json.ts';
import { replaceHidden, visible } from '../base/text.ts';
import { nameFault } from '../door/fail.ts';
import type { Client } from './client.ts';
import { ANSWER_MS, answerIn, formFor, NO_ANSWER } from './question/elicit.ts';
import { type Answer, type AskedStep, beginRun, type Caught, isStep, type RunGround } from './question/step.ts';
import { IN_WORKSPACE, type McpSession } from './session.ts';

/** Whoever reads skills by the extension is not offered a second way. */
const LOADING = new Set(['load_skill', 'read_skill_resource']);

export async function listTools({ readsSkills }: Client, session: McpSession): Promise<Tool[]> {
  const offered = (await session.offered()).filter(({ name }) => !(readsSkills && LOADING.has(name)));
  return offered.map(({ name, description, inputSchema, outputSchema, annotations }) => {
    const hasWorkspace = session.byWorkspace && IN_WORKSPACE.has(name);
    const also = (schema: ToolSchema) => (hasWorkspace ? withWorkspace(schema) : schema);
    return {
      ...{ name, title: annotations.title, description },
      inputSchema: { ...also(inputSchema), type: 'object' },
      outputSchema: { ...also(outputSchema), type: 'object' },
      annotations: { ...annotations },
    };
  });
}

const WORKSPACE = { type: 'string', description: 'of an earlier result: its files, its questions and its record' };

function withWorkspace(schema: ToolSchema): ToolSchema {
  return { ...schema, properties: { ...Object(schema.properties), workspace: WORKSPACE } };
}

interface Asked {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, unknown>> | undefined;
}

interface Asker {
  readonly client: Client;
  readonly context: ServerContext;
}

export async function answerCall(
  asked: Asked,
  asker: Asker,
  session: McpSession,
): Promise<CallToolResult | InputRequiredResult> {
  const reached = await reach(asked, asker, session);
  return isStep(reached) ? askLater(reached, asked, session) : tellResult(reached);
}

/** To the end, or to a question that only another request of the client can answer. */
async function reach(asked: Asked, asker: Asker, session: McpSession): Promise<AskedStep | ToolResult> {
  const { client, context } = asker;
  const caught = caughtFrom(context);
  const state = context.mcpReq.requestState<string>();
  if (state !== undefined) return await goOn(state, asked, caught, asker, session);
  const { name, arguments: given = {} } = asked;
  const { workspace, ...own } = given;
  const ground = await groundFor(name, client, typeof workspace === 'string' ? workspace : undefined, session);
  if (!isGround(ground)) return ground;
  const taken = session.byWorkspace ? own : given;
  if (name !== 'run_skill' || !client.canElicit) return inWorkspace(await ground.tool.execute(taken, caught), ground);
  let reached = inWorkspace(await beginRun(taken, caught, ground), ground);
  while (isStep(reached) && client.era === 'legacy')
    reached = await reached.next(await askNow(reached.question, context, session), caught);
  return reached;
}

async function groundFor(
  name: string,
  client: Client,
  workspace: string | undefined,
  session: McpSession,
): Promise<RunGround | ToolResult> {
  try {
    const ground = await session.groundFor(name, client.name, workspace);
    if (ground) return ground;
  } catch (error) {
    const { type, code, message } = nameFault(error);
    return { ok: false, error: { type, code, message, recoverable: null } };
  }
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool ${visible(name)}`);
}

function isGround(one: RunGround | ToolResult): one is RunGround {
  return 'tool' in one && 'set' in one;
}

/** Whatever comes of it names the workspace, after a question, too. */
function inWorkspace(
  reached: AskedStep | ToolResult,
  { workspace }: Pick<RunGround, 'workspace'>,
): AskedStep | ToolResult {
  if (workspace === undefined) return reached;
  if (!isStep(reached)) return { ...reached, workspace };
  const { question, next } = reached;
  return { question, next: async (...answered) => inWorkspace(await next(...answered), { workspace }) };
}

async function goOn(
  state: string,
  { name, arguments: given = {} }: Asked,
  caught: Caught,
  { context }: Asker,
  session: McpSession,
): Promise<AskedStep | ToolResult> {
  const step = session.steps.take(state, [name, given]);
  if (!step)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      'the question was answered, is too old, or was about another call',
    );
  return await step.next(answerIn(context.mcpReq.inputResponses?.decision), caught);
}

/** A client of 2026 is asked by the result: it calls again with the answer. */
function askLater(
  step: AskedStep,
  { name, arguments: given = {} }: Asked,
  { steps, sw }: McpSession,
): InputRequiredResult {
  return inputRequired({
    inputRequests: { decision: inputRequired.elicit(formFor(step.question, sw.language)) },
    requestState: steps.keep(step, [name, given]),
  });
}

/** A client of 2025 is asked while its call waits. */
async function askNow(question: string, { mcpReq }: ServerContext, { sw }: McpSession): Promise<Answer> {
  const { signal } = mcpReq;
  try {
    return answerIn(await mcpReq.elicitInput(formFor(question, sw.language), { timeout: ANSWER_MS, signal }));
  } catch (error) {
    signal.throwIfAborted();
    return SdkError.isInstance(error) && error.code === SdkErrorCode.RequestTimeout ? NO_ANSWER : 'unasked';
  }
}

function caughtFrom({ mcpReq }: ServerContext): Caught {
  return { signal: mcpReq.signal, onProgress: progressTo(mcpReq) };
}

/** Only for a client that asked for it, and only forwards, as the protocol wants it. */
function progressTo({ _meta, notify }: ServerContext['mcpReq']): NonNullable<Caught['onProgress']> {
  const progressToken = _meta?.progressToken;
  let last = 0;
  return ({ fraction, message }) => {
    if (progressToken === undefined || fraction <= last) return;
    last = fraction;
    const params = { progressToken, progress: fraction, total: 1, message: visible(message) };
    // Whoever has gone by now learns of it from the end of the call.
    void notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}

/** The same twice: clients of old read the text alone. */
function tellResult(result: ToolResult): CallToolResult {
  return {
    content: [{ type: 'text', text: visibleJson(result) }],
    structuredContent: result,
    ...(isFailure(result) && { isError: true }),
  };
}

/** The same data: what a reader would not see is written as an escape of JSON. */
function visibleJson(result: ToolResult): string {
  const asEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return replaceHidden(JSON.stringify(result), (hidden) => hidden.split('').map(asEscape).join(''));
}

/** A question that waits for a person, and parameters that are missing, are no errors. */
function isFailure({ ok, error }: ToolResult): boolean {
  return !ok && isRecord(error);
}
