// Programs of others as clients of `skillwright mcp`, at its pipes and over HTTP: bridges between the two, and the client
// of the AI SDK. Each does all that it can; what it cannot is said beside it. In the long run only.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Served } from '../../support/mcp/http.ts';
import { installed, OUTSIDE } from '../../support/mcp/outside.ts';
import { type Ability, ofSdk, servedToAll, type UsedClient, useAll } from '../../support/mcp/use-all.ts';
import { commandLine, compiledCode, isLong } from '../../support/support.ts';

const SKIP = { skip: isLong() ? false : 'in the long run only' };
const ALL: Ability = { asks: true, progress: true, cancel: true };

/** A client of 2025 on the other side of a bridge, whose person gives these answers. */
async function connected(t: TestContext, transport: Transport, answers: boolean[]): Promise<UsedClient> {
  const client = new Client(
    { name: 'tester', version: '1' },
    { capabilities: { elicitation: {} }, versionNegotiation: { mode: 'legacy' } },
  );
  client.setRequestHandler('elicitation/create', () => answerOf(answers));
  await client.connect(transport);
  t.after(() => client.close());
  return ofSdk(client);
}

function answerOf(answers: boolean[]) {
  return { action: 'accept' as const, content: { approve: answers.shift() === true } };
}

function environment({ home }: Served): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: home, ...compiledCode() };
}

/** A program that brings our HTTP to the pipes of its client. */
function atPipes(place: Served, folder: string, [name = '', ...args]: readonly string[]): Transport {
  const command = path.join(folder, 'node_modules', '.bin', name);
  return new StdioClientTransport({ command, args: [...args], env: environment(place), stderr: 'ignore' });
}

/** A program that serves our pipes over HTTP, once it answers. */
async function overHttp(
  t: TestContext,
  place: Served,
  folder: string,
  [name = '', ...args]: readonly string[],
  port: number,
): Promise<Transport> {
  const program = path.join(folder, 'node_modules', '.bin', name);
  const child = spawn(program, args, { cwd: place.project, env: environment(place), stdio: 'ignore' });
  t.after(async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await new Promise((resolve) => child.once('close', resolve));
  });
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  for (let left = 600; left > 0 && child.exitCode === null; left--) {
    const answers = await fetch(url, { method: 'OPTIONS' }).catch(() => undefined);
    if (answers) return new StreamableHTTPClientTransport(url);
    await sleep(100);
  }
  throw new Error(`${name} does not answer`);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test(
  'mcp-remote brings HTTP to the pipes of a client of 2025, its questions too where it speaks 2026 to us',
  SKIP,
  async (t) => {
    const folder = await installed(t, OUTSIDE.remote);
    const place = await servedToAll(t);
    const headers = path.join(place.home, 'headers.txt');
    writeFileSync(headers, `Authorization: Bearer ${place.token}\n`, { mode: 0o600 });
    const words = ['mcp-remote', `http://127.0.0.1:${place.port}/mcp`, '--header-file', headers];
    // That a call is given up it says in a message of its own, which over HTTP belongs to no call.
    const can: Ability = { ...ALL, cancel: false };
    for (const [era, asks] of [
      ['auto', true],
      // A client of 2025 cannot be asked over HTTP: its questions wait for a terminal.
      ['legacy', false],
    ] as const) {
      const answers: boolean[] = [];
      const transport = atPipes(place, folder, [...words, '--transport', 'http-only', '--protocol', era]);
      await useAll(await connected(t, transport, answers), place, answers, { ...can, asks });
    }
  },
);

test('supergateway brings HTTP to the pipes of a client of 2025', SKIP, async (t) => {
  const folder = await installed(t, OUTSIDE.supergateway);
  const place = await servedToAll(t);
  const answers: boolean[] = [];
  const url = `http://127.0.0.1:${place.port}/mcp`;
  const words = ['supergateway', '--streamableHttp', url, '--oauth2Bearer', place.token, '--logLevel', 'none'];
  const client = await connected(t, atPipes(place, folder, words), answers);
  // It speaks 2025, hands on requests under numbers of its own, and nothing that is said beside their answers.
  await useAll(client, place, answers, { asks: false, progress: false, cancel: false });
});

test('supergateway brings our pipes to HTTP', SKIP, async (t) => {
  const folder = await installed(t, OUTSIDE.supergateway);
  const place = await servedToAll(t);
  const port = await freePort();
  const ours = `${process.execPath} ${commandLine()} mcp`;
  const words = ['supergateway', '--stdio', ours, '--outputTransport', 'streamableHttp', '--stateful'];
  const answers: boolean[] = [];
  const transport = await overHttp(t, place, folder, [...words, '--port', String(port)], port);
  await useAll(await connected(t, transport, answers), place, answers, ALL);
});

test('mcp-proxy brings our pipes to HTTP', SKIP, async (t) => {
  const folder = await installed(t, OUTSIDE.proxy);
  const place = await servedToAll(t);
  const port = await freePort();
  const words = ['mcp-proxy', '--port', String(port), '--host', '127.0.0.1'];
  const answers: boolean[] = [];
  const ours = ['--', process.execPath, commandLine(), 'mcp'];
  const transport = await overHttp(t, place, folder, [...words, ...ours], port);
  // All its clients share one connection to us, so that it asks none of them.
  await useAll(await connected(t, transport, answers), place, answers, { ...ALL, asks: false });
});

/** What of the AI SDK is used here. */
interface AiSdk {
  readonly ElicitationRequestSchema: unknown;
  createMCPClient(config: object): Promise<{
    tools(): Promise<Record<string, { execute(given: object, options: object): Promise<AiResult> }>>;
    onElicitationRequest(schema: unknown, answer: () => object): void;
    close(): Promise<void>;
  }>;
}

interface AiResult {
  readonly structuredContent?: Record<string, unknown>;
}

test('the client of the AI SDK calls over HTTP and at our pipes', SKIP, async (t) => {
  const folder = await installed(t, OUTSIDE.aiSdk);
  const place = await servedToAll(t);
  const load = async (file: string) =>
    await import(pathToFileURL(path.join(folder, 'node_modules/@ai-sdk/mcp/dist', file)).href);
  const sdk: AiSdk = await load('index.js');
  const { Experimental_StdioMCPTransport: Pipes } = await load('mcp-stdio/index.js');
  const headers = { Authorization: `Bearer ${place.token}` };
  const ours = { command: process.execPath, args: [commandLine(), 'mcp'], cwd: place.project };
  for (const [transport, cancel] of [
    [{ type: 'http', url: `http://127.0.0.1:${place.port}/mcp`, headers }, true],
    [new Pipes({ ...ours, env: environment(place) }), false],
  ] as const) {
    const answers: boolean[] = [];
    const made = await sdk.createMCPClient({ transport, capabilities: { elicitation: {} } });
    t.after(() => made.close());
    made.onElicitationRequest(sdk.ElicitationRequestSchema, () => answerOf(answers));
    const tools = await made.tools();
    const client: UsedClient = {
      names: async () => Object.keys(tools),
      async call(name, given, { signal } = {}) {
        const options = { toolCallId: '1', messages: [], ...(signal && { abortSignal: signal }) };
        const result = await tools[name]?.execute(given, options);
        assert.ok(result?.structuredContent, JSON.stringify(result));
        return result.structuredContent;
      },
    };
    // It asks for no progress, and at pipes it says nothing of a call that it has given up.
    await useAll(client, place, answers, { asks: true, progress: false, cancel });
  }
});
