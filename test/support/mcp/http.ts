// What tests of the MCP server over HTTP share: the command line as a server with a project and a home of its own.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type Files, makeProject } from '../door-support.ts';
import { commandLine, compiledCode, temporaryFolder } from '../support.ts';
import { type Era, MODERN } from './client.ts';

export interface Served {
  readonly project: string;
  readonly home: string;
  readonly port: number;
  readonly token: string;
  readonly tokenFile: string;
}

/** `skillwright mcp --http` on a free port, ended with the test. */
export async function serveHttp(t: TestContext, files: Files): Promise<Served> {
  let end = async () => {};
  // What is registered first is done first: folders are removed when nobody serves them any more.
  t.after(() => end());
  const project = makeProject(t, files);
  const home = temporaryFolder(t);
  const child = spawn(process.execPath, [commandLine(), 'mcp', '--http', '--port', '0'], {
    cwd: project,
    env: { PATH: process.env.PATH ?? '', HOME: home, ...compiledCode() },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  end = async () => {
    child.kill('SIGTERM');
    await new Promise((resolve) => (child.exitCode === null ? child.once('close', resolve) : resolve(undefined)));
  };
  let said = '';
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  child.stderr.on('data', (part: Buffer) => {
    said += part.toString();
    const [, port] = /http:\/\/127\.0\.0\.1:(\d+)\/mcp/.exec(said) ?? [];
    if (port !== undefined) resolve(Number(port));
  });
  child.once('close', () => reject(new Error(said)));
  const port = await promise;
  const tokenFile = path.join(home, '.agent', 'mcp', 'token');
  return { project, home, port, tokenFile, token: readFileSync(tokenFile, 'utf8').trim() };
}

export interface HttpWish {
  readonly era?: Era;
  readonly capabilities?: ClientOptions['capabilities'];
  readonly prepare?: (client: Client) => void;
}

/** The SDK's own client, with the token. */
export async function connectHttp(t: TestContext, { port, token }: Served, wish: HttpWish = {}): Promise<Client> {
  const { era = 'modern', capabilities = {}, prepare } = wish;
  const mode = era === 'modern' ? { pin: MODERN } : 'legacy';
  const client = new Client({ name: 'tester', version: '1' }, { capabilities, versionNegotiation: { mode } });
  prepare?.(client);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  t.after(() => client.close());
  return client;
}
