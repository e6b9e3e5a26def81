// Servers by their address that answer as a test wants, and an honest one of the same kind.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

export type Answering = (request: IncomingMessage, response: ServerResponse, body: Asked) => void;

export interface Asked {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Its address. */
export async function addressed(t: TestContext, answer: Answering): Promise<string> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    response.on('error', () => {});
    answer(request, response, parts.length === 0 ? {} : JSON.parse(Buffer.concat(parts).toString()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

/** What an honest server of 2025 says to that. */
export function honestly({ id, method, params = {} }: Asked): object | undefined {
  const results: Readonly<Record<string, object>> = {
    initialize: {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'addressed', version: '1' },
    },
    'tools/list': { tools: [{ name: 'echo', description: 'Says it again.', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: 'echo: hi' }] },
  };
  if (id === undefined) return undefined;
  const result = results[method ?? ''];
  return { jsonrpc: '2.0', id, ...(result ? { result } : { error: { code: -32601, message: 'no such method' } }) };
}

export const honest: Answering = (request, response, asked) => {
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const answer = honestly(asked);
  if (answer === undefined) return void response.writeHead(202).end();
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
};

/** Honest but for calls, which it answers otherwise. */
export function butForCalls(answer: Answering): Answering {
  return (request, response, asked) => (asked.method === 'tools/call' ? answer : honest)(request, response, asked);
}
