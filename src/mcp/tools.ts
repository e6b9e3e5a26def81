// The tools of the toolset as MCP tells them: listed with schemas and annotations, called with progress and cancellation.
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server';
import type { SkillTool, ToolResult } from '../app/library/public/toolset.ts';
import { visible } from '../base/text.ts';
import type { McpSession } from './session.ts';

export function listTools({ offered }: McpSession): Tool[] {
  return offered.map(({ name, description, inputSchema, outputSchema, annotations }) => ({
    ...{ name, title: annotations.title, description },
    inputSchema: { ...inputSchema, type: 'object' },
    outputSchema: { ...outputSchema, type: 'object' },
    annotations: { ...annotations },
  }));
}

interface Asked {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, unknown>> | undefined;
}

interface Asker {
  readonly client: string;
  readonly context: ServerContext;
}

export async function answerCall(
  { name, arguments: given = {} }: Asked,
  { client, context }: Asker,
  session: McpSession,
): Promise<CallToolResult> {
  const tool = await session.toolFor(name, client);
  if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool ${visible(name)}`);
  return tellResult(await execute(tool, given, context));
}

async function execute(tool: SkillTool, given: unknown, { mcpReq }: ServerContext): Promise<ToolResult> {
  return await tool.execute(given, { signal: mcpReq.signal, onProgress: progressTo(mcpReq) });
}

/** Only for a client that asked for it, and only forwards, as the protocol wants it. */
function progressTo({ _meta, notify }: ServerContext['mcpReq']) {
  const progressToken = _meta?.progressToken;
  let last = 0;
  return ({ fraction, message }: { readonly fraction: number; readonly message: string }): void => {
    if (progressToken === undefined || fraction <= last) return;
    last = fraction;
    const params = { progressToken, progress: fraction, total: 1, message };
    // Whoever has gone by now learns of it from the end of the call.
    void notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}

/** The same twice: clients of old read the text alone. */
function tellResult(result: ToolResult): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(result) }],
    structuredContent: result,
    ...(isFailure(result) && { isError: true }),
  };
}

/** A question that waits for a person, and parameters that are missing, are no errors. */
function isFailure({ ok, error }: ToolResult): boolean {
  return !ok && error !== undefined;
}
