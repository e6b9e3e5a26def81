// What tests of the MCP server share: the SDK's own client of either era, in this process or at the command line's pipes.
import type { TestContext } from 'node:test';
import { Client, type ClientOptions, InMemoryTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { McpOrder, McpServed } from '../../../src/app/serve/mcp-order.ts';
import { serveOver } from '../../../src/mcp/serve.ts';
import { type Files, home, makeProject } from '../door-support.ts';
import { commandLine, compiledCode } from '../support.ts';

export type Era = 'legacy' | 'modern';

export const ERAS: readonly Era[] = ['legacy', 'modern'];

export const MODERN = '2026-07-28';

export interface Wish extends Partial<Pick<McpOrder, 'role' | 'skills' | 'readOnly'>> {
  readonly era?: Era;
  readonly capabilities?: ClientOptions['capabilities'];
  /** Prepares the client before it connects: what it answers. */
  readonly prepare?: (client: Client) => void;
}

export interface Connected {
  readonly client: Client;
  /** What came of the server, once the client has left. */
  readonly served: Promise<McpServed>;
  readonly logged: readonly string[];
}

const closers = new WeakMap<TestContext, (() => Promise<unknown>)[]>();

/** A project that is removed when nobody serves it any more. */
export function servedProject(t: TestContext, files: Files): string {
  beforeRemoval(t, async () => {});
  return makeProject(t, files);
}

/** Called before the folders of the test are removed, if something was registered before they were made. */
export function beforeRemoval(t: TestContext, close: () => Promise<unknown>): void {
  const known = closers.get(t);
  known?.push(close);
  if (known) return;
  const own = [close];
  closers.set(t, own);
  t.after(async () => {
    for (const one of own) await one();
  });
}

/** A server in this process. */
export async function connect(t: TestContext, project: string, wish: Wish = {}): Promise<Connected> {
  const { role, skills, readOnly = false } = wish;
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const stopping = new AbortController();
  const logged: string[] = [];
  const order: McpOrder = {
    ...{ project, home, env: { PATH: process.env.PATH }, language: 'en', readOnly },
    ...(role !== undefined && { role }),
    ...(skills && { skills }),
    stop: stopping.signal,
    log: (line) => logged.push(line),
  };
  const served = serveOver(ours, order);
  const client = await connectTo(theirs, wish, served);
  beforeRemoval(t, async () => {
    await client.close();
    stopping.abort();
    await served;
  });
  return { client, served, logged };
}

export interface ConnectedProcess {
  readonly client: Client;
  readonly pid: number;
  readonly stderr: () => string;
}

/** The command line as a process of its own. */
export async function connectProcess(
  t: TestContext,
  project: string,
  args: readonly string[],
  wish: Wish = {},
): Promise<ConnectedProcess> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [commandLine(), 'mcp', ...args],
    cwd: project,
    env: { PATH: process.env.PATH ?? '', HOME: home, ...compiledCode() },
    stderr: 'pipe',
  });
  let said = '';
  transport.stderr?.on('data', (part: Buffer) => {
    said += part.toString();
  });
  const client = await connectTo(transport, wish);
  beforeRemoval(t, () => client.close());
  return { client, pid: transport.pid ?? 0, stderr: () => said };
}

async function connectTo(transport: Transport, wish: Wish, served?: Promise<unknown>): Promise<Client> {
  const { era = 'modern', capabilities = {}, prepare } = wish;
  const mode = era === 'modern' ? { pin: MODERN } : 'legacy';
  const client = new Client({ name: 'tester', version: '1.0.0' }, { capabilities, versionNegotiation: { mode } });
  prepare?.(client);
  const failed = served?.then(() => {
    throw new Error('the server ended');
  });
  await Promise.race([client.connect(transport), ...(failed ? [failed] : [])]);
  failed?.catch(() => {});
  return client;
}

/** What a tool gave, as a program reads it. */
export async function callTool(
  client: Client,
  name: string,
  given: Record<string, unknown>,
  options: Parameters<Client['callTool']>[1] = {},
): Promise<{ readonly isError: boolean; readonly result: Record<string, unknown> }> {
  const { structuredContent, isError = false } = await client.callTool({ name, arguments: given }, options);
  return { isError, result: Object(structuredContent) };
}
