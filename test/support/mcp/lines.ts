// The command line as a server at pipes, and a client that writes whatever bytes a test wants and reads whole messages.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { home } from '../door-support.ts';
import { commandLine, compiledCode } from '../support.ts';
import { beforeRemoval, MODERN } from './client.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a hostile peer gets is looked at freely
export type Message = any;

export interface Lines {
  readonly pid: number;
  readonly messages: readonly Message[];
  /** Lines on stdout that are no message of the protocol. */
  readonly odd: readonly string[];
  readonly stderr: () => string;
  /** Any bytes; a message ends with a line feed. */
  write(bytes: string | Uint8Array): Promise<void>;
  /** A request of 2025 or, with an envelope, of 2026; its answer. */
  ask(method: string, params?: Record<string, unknown>, id?: number | string): Promise<Message>;
  send(message: object): Promise<void>;
  /** The first message, from now or before, that fits. */
  find(fits: (message: Message) => boolean): Promise<Message>;
  readonly gone: Promise<number | null>;
  end(): Promise<number | null>;
}

export interface LinesWish {
  readonly args?: readonly string[];
  readonly era?: 'legacy' | 'modern';
  readonly capabilities?: object;
  readonly home?: string;
  readonly env?: Record<string, string>;
  readonly nodeArgs?: readonly string[];
}

/** Initialized as a client of 2025 unless it is one of 2026, which needs nothing of that kind. */
export async function openLines(t: TestContext, project: string, wish: LinesWish = {}): Promise<Lines> {
  const { args = [], era = 'legacy', capabilities = {}, nodeArgs = [] } = wish;
  const child = spawn(process.execPath, [...nodeArgs, commandLine(), 'mcp', ...args], {
    cwd: project,
    env: { PATH: process.env.PATH ?? '', HOME: wish.home ?? home, ...compiledCode(), ...wish.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const messages: Message[] = [];
  const odd: string[] = [];
  const waiting = new Set<() => void>();
  let said = '';
  let isGone = false;
  const wake = () => {
    for (const look of waiting) look();
  };
  child.stderr.on('data', (part: Buffer) => {
    said += part.toString();
  });
  child.stdin.on('error', () => {});
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = parse(line);
    if (message) messages.push(message);
    else odd.push(line);
    wake();
  });
  const closed = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      isGone = true;
      wake();
      resolve(code);
    });
  });
  const write = async (bytes: string | Uint8Array): Promise<void> => {
    await new Promise<void>((resolve) => {
      child.stdin.write(bytes, () => resolve());
    });
  };
  const find = async (fits: (message: Message) => boolean): Promise<Message> =>
    await new Promise((resolve, reject) => {
      const look = () => {
        const found = messages.find(fits);
        if (!found && !isGone) return;
        waiting.delete(look);
        if (found) resolve(found);
        else reject(new Error(`the server ended: ${said}`));
      };
      waiting.add(look);
      look();
    });
  const send = async (message: object) => await write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  let last = 0;
  const ask = async (method: string, params: Record<string, unknown> = {}, id: number | string = `own-${++last}`) => {
    await send({
      id,
      method,
      params: era === 'modern' ? { ...params, _meta: { ..._meta, ...Object(params._meta) } } : params,
    });
    return await find((message) => message.id === id && message.method === undefined);
  };
  const end = async () => {
    child.stdin.end();
    return await closed;
  };
  beforeRemoval(t, async () => {
    child.kill('SIGTERM');
    return await closed;
  });
  if (era === 'legacy') {
    const clientInfo = { name: 'raw', version: '1' };
    await ask('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo });
    await send({ method: 'notifications/initialized' });
  }
  return { pid: child.pid ?? 0, messages, odd, stderr: () => said, write, ask, send, find, end, gone: closed };
}

function parse(line: string): Message {
  try {
    const message = JSON.parse(line);
    return message?.jsonrpc === '2.0' ? message : undefined;
  } catch {
    return undefined;
  }
}
