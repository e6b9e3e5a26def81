// A server that serves skills over HTTP from this process: each test says what it lists, what it hands out, and how it
// behaves; what it was asked is kept.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { isRecord, type Json } from '../../../src/base/json.ts';

export interface Entry {
  uri: string;
  frontmatter: Record<string, Json>;
  resources: { uri: string; digest: string; size: number }[] | 'dynamic';
}

/** What is listed, and what is handed out by address. */
export interface Served {
  entry: Entry;
  files: Map<string, string | Buffer>;
}

export interface SkillServer {
  readonly url: string;
  /** Methods and addresses, as they were asked for. */
  readonly asked: string[];
  skills: Served[];
  /** Answers in place of the honest ones, by method; `hang` never answers, `drop` ends the connection. */
  bent: Record<string, (params: Record<string, unknown>) => unknown>;
}

export const HANG = Symbol('hang');
export const DROP = Symbol('drop');

export function digestOf(bytes: string | Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** A skill as an honest server lists it; files by what follows the address of the skill. */
export function served(
  name: string,
  files: Readonly<Record<string, string | Buffer>> = {},
  { root = `skill://${name}`, description = `Does ${name}.` } = {},
): Served {
  const text = `---\nname: ${name}\ndescription: ${description}\n---\n# ${name}\n`;
  const all = new Map(Object.entries({ 'SKILL.md': text, ...files }).map(([at, bytes]) => [`${root}/${at}`, bytes]));
  const resources = [...all].map(([uri, bytes]) => ({
    uri,
    digest: digestOf(bytes),
    size: Buffer.byteLength(bytes),
  }));
  return { entry: { uri: `${root}/SKILL.md`, frontmatter: { name, description }, resources }, files: all };
}

/** Ended with the test. */
export async function skillServer(t: TestContext, skills: readonly Served[] = []): Promise<SkillServer> {
  const http = createServer((request, response) => void answer(request, response, state));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    http.closeAllConnections();
    http.close();
  });
  const { port } = http.address() as AddressInfo;
  const state: SkillServer = { url: `http://127.0.0.1:${port}/mcp`, asked: [], skills: [...skills], bent: {} };
  return state;
}

async function answer(request: IncomingMessage, response: ServerResponse, state: SkillServer): Promise<void> {
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const { id, method, params = {} } = JSON.parse(Buffer.concat(parts).toString());
  if (id === undefined) return void response.writeHead(202).end();
  state.asked.push(isRecord(params) && typeof params.uri === 'string' ? `${method} ${params.uri}` : method);
  const result = await (state.bent[method] ?? (() => honest(method, params, state)))(params);
  if (result === HANG) return;
  if (result === DROP) return void response.destroy();
  const said = result === undefined ? { error: { code: -32602, message: 'unknown' } } : { result };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, ...said }));
}

function honest(method: string, params: Record<string, unknown>, { skills }: SkillServer): unknown {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { resources: {}, tools: {}, extensions: { 'io.modelcontextprotocol/skills': {} } },
        serverInfo: { name: 'served', version: '1' },
      };
    case 'tools/list':
      return { tools: [] };
    case 'skills/list':
      return { skills: skills.map(({ entry }) => entry) };
    case 'skills/get': {
      const found = skills.find(({ entry }) => entry.uri === params.uri);
      return found && { skill: found.entry };
    }
    case 'resources/read': {
      const [bytes] = skills.flatMap(({ files }) => files.get(String(params.uri)) ?? []);
      return bytes === undefined ? undefined : { contents: [contentOf(String(params.uri), bytes)] };
    }
  }
  return undefined;
}

export function contentOf(uri: string, bytes: string | Buffer): object {
  return typeof bytes === 'string' ? { uri, text: bytes } : { uri, blob: bytes.toString('base64') };
}
