// A server that somebody else wrote, as a client sees it: its tools are looked at and called, and whatever it answers is
// bounded data. It is offered nothing of ours: no model, no folders, nobody to ask.
import { Client, type Tool, type Transport } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { Fault } from '../../base/errors.ts';
import { isRecord, toJson } from '../../base/json.ts';
import { visible } from '../../base/text.ts';
import { VERSION } from '../../base/version.ts';
import { readServerTool, type ServerTool } from './definition.ts';
import type { ServerAnswer, ServerConnection, SkillReader } from './server-connection.ts';
import type { SkillsOptions } from './skill-reader.ts';

const CONNECT_MS = 20_000;
const MOST_PAGES = 50;
const MOST_TOOLS = 1_000;
const MOST_TEXT = 1024 * 1024;
const MOST_OF_ERROR = 2_000;

/** Throws a Fault where it does not answer as a server does. */
export async function connectServer(
  name: string,
  transport: Transport,
  withinMs = CONNECT_MS,
): Promise<ServerConnection> {
  const client = makeClient(withinMs);
  const said = { last: '' };
  client.onerror = (error) => {
    said.last = error.message;
  };
  const failed = (what: string, error: unknown): Fault => serverFailed(name, what, error, said.last);
  try {
    await client.connect(transport, { timeout: withinMs });
  } catch (error) {
    await client.close().catch(() => {});
    throw failed('connect', error);
  }
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  client.onclose = resolve;
  return {
    closed,
    async tools() {
      try {
        return await listTools(client, withinMs);
      } catch (error) {
        throw failed('tools/list', error);
      }
    },
    skills: () => readSkillsOf(client, { server: name, withinMs, failed }),
    async call({ name: tool, inputSchema }, args, { signal, timeoutMs, onProgress }) {
      try {
        const result = await client.callTool(
          { name: tool, arguments: { ...args } },
          {
            // By what was agreed to, its headers are made, not by what the server says by now.
            toolDefinition: { name: tool, inputSchema: inputSchema as Tool['inputSchema'] },
            timeout: timeoutMs,
            maxTotalTimeout: timeoutMs,
            ...(signal && { signal }),
            ...(onProgress && { onprogress: ({ progress, total }) => onProgress(progress, total) }),
          },
        );
        return readAnswer(result);
      } catch (error) {
        throw failed(tool, error);
      }
    },
    close: () => client.close(),
  };
}

/** It offers nothing, and asks nobody for what a server asks. */
function makeClient(withinMs: number): Client {
  return new Client(
    { name: 'skillwright', version: VERSION },
    {
      capabilities: {},
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: withinMs / 4 } },
      inputRequired: { autoFulfill: false },
      // A schema of a server is its own word, and its patterns could take for ever.
      jsonSchemaValidator: {
        getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
    },
  );
}

/** Loaded by what uses it: a run only calls tools. */
async function readSkillsOf(client: Client, options: SkillsOptions): Promise<SkillReader> {
  const { skillsOf } = await import('./skill-reader.ts');
  return skillsOf(client, options);
}

/** Of its tools each is looked at by itself: one that is none hides no other. */
const PAGE = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

/** Page by page, because the SDK's own listing has no bound, and prints what it leaves out as the server wrote it. */
async function listTools(client: Client, timeout: number): Promise<ServerTool[]> {
  const found = new Map<string, ServerTool>();
  if (client.getServerCapabilities()?.tools === undefined) return [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES && found.size < MOST_TOOLS; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const listed = await client.request({ method: 'tools/list', params }, PAGE, { timeout });
    for (const one of listed.tools) {
      const tool = readServerTool(one);
      // The first of a name is the one that was shown.
      if (tool && !found.has(tool.name) && found.size < MOST_TOOLS) found.set(tool.name, tool);
    }
    cursor = listed.nextCursor;
    if (cursor === undefined || cursor === '') break;
  }
  return [...found.values()];
}

function readAnswer({ content = [], structuredContent, isError = false }: ToolResult): ServerAnswer {
  const texts = content.flatMap((part) => (part.type === 'text' && typeof part.text === 'string' ? [part.text] : []));
  const others = content.filter(({ type }) => type !== 'text').map(({ type }) => visible(String(type)));
  const text = texts.join('\n');
  const structured = isRecord(structuredContent) ? toJson(structuredContent) : undefined;
  const isLong = structured !== undefined && JSON.stringify(structured).length > MOST_TEXT;
  return {
    isError,
    text: text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT).toWellFormed()}…` : text,
    ...(structured !== undefined && !isLong && { structured }),
    leftOut: [...new Set(others)].slice(0, 10),
  };
}

interface ToolResult {
  readonly content?: readonly { readonly type: string; readonly text?: unknown }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}

/** What it says went wrong is its own word, and as long as it likes. */
function shortened(text: string): string {
  return text.length > MOST_OF_ERROR ? `${text.slice(0, MOST_OF_ERROR).toWellFormed()}…` : text;
}

function serverFailed(server: string, what: string, error: unknown, last: string): Fault {
  if (error instanceof Fault) return error;
  const said = shortened(error instanceof Error ? error.message : String(error));
  const before = shortened(last);
  const detail = visible(`${server}: ${what}: ${said}${said.includes(before) ? '' : ` (${before})`}`);
  if (/timed out|timeout/i.test(said)) return new Fault('Timeout', detail, { cause: error });
  return new Fault('ExternalServiceError', detail, {
    details: { server },
    hint: {
      en: `\`skillwright servers ${server}\` starts it and says what it has.`,
      zh: `\`skillwright servers ${server}\` 会启动它并列出其工具。`,
    },
    cause: error,
  });
}
