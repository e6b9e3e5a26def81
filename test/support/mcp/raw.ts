// A client of 2026 that says exactly what a test wants, retries of old questions included.
import type { TestContext } from 'node:test';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import { serveOver } from '../../../src/mcp/serve.ts';
import { home } from '../door-support.ts';
import { beforeRemoval, MODERN } from './client.ts';

type Message = ReturnType<typeof JSON.parse>;

export type Request = (method: string, params?: Record<string, unknown>) => Promise<Message>;

/** Each request has the envelope of the protocol, and its answer is the whole message. */
export async function connectRaw(t: TestContext, project: string): Promise<Request> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const waiting = new Map<unknown, (message: Message) => void>();
  theirs.onmessage = (message: Message) => waiting.get(message.id)?.(message);
  await theirs.start();
  const served = serveOver(ours, {
    ...{ project, home, env: { PATH: process.env.PATH }, language: 'en', readOnly: false },
    stop: new AbortController().signal,
    log: () => {},
  });
  beforeRemoval(t, async () => {
    await theirs.close();
    await served;
  });
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
  };
  let id = 0;
  // The server starts to listen once it has opened the project.
  const listening = async () => {
    while (!ours.onmessage) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  return async (method, params = {}) => {
    await listening();
    const own = ++id;
    const { promise, resolve } = Promise.withResolvers<Message>();
    waiting.set(own, resolve);
    await theirs.send({ jsonrpc: '2.0', id: own, method, params: { ...params, _meta } });
    return await promise;
  };
}
