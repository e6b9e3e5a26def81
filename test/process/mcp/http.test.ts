// `skillwright mcp --http`: for programs with the token and nobody else, in workspaces that requests name.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request as ask } from 'node:http';
import { connect as connectTo } from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Client, ElicitResult } from '@modelcontextprotocol/client';
import { skillFiles } from '../../support/door-support.ts';
import { WRITER } from '../../support/library/handle.ts';
import { callTool, type Era } from '../../support/mcp/client.ts';
import { connectHttp, type Served, serveHttp } from '../../support/mcp/http.ts';
import { runCli, temporaryFolder } from '../../support/support.ts';

const SKILLS = {
  ...WRITER,
  ...skillFiles('keeper', 'name: keeper\ndescription: Keeps.', { 'scripts/read.sh': 'cat note.txt\n' }),
};
const YES: ElicitResult = { action: 'accept', content: { approve: true } };
const WRITE = { skill: 'writer', script: 'scripts/write.sh', args: ['hello'] };

function clientOf(t: TestContext, served: Served, era: Era = 'modern'): Promise<Client> {
  const prepare = (client: Client) => client.setRequestHandler('elicitation/create', () => YES);
  return connectHttp(t, served, { era, capabilities: { elicitation: {} }, prepare });
}

test('asked, approved and done in a workspace that later calls name, and another one sees nothing of it', async (t) => {
  const served = await serveHttp(t, SKILLS);
  const client = await clientOf(t, served);
  const { tools } = await client.listTools();
  const run = tools.find(({ name }) => name === 'run_skill');
  assert.ok(Object(run?.inputSchema.properties).workspace);
  assert.match(client.getInstructions() ?? '', /Give it with every later/);
  const done = await callTool(client, 'run_skill', WRITE);
  assert.equal(done.result.state, 'success', JSON.stringify(done));
  assert.equal(readFileSync(path.join(served.project, 'note.txt'), 'utf8'), 'hello\n');
  const { workspace } = done.result;
  assert.equal(typeof workspace, 'string');
  const next = await callTool(client, 'run_skill', { ...WRITE, args: ['more'], workspace });
  assert.deepEqual([next.result.state, next.result.workspace], ['success', workspace]);
  const own = await callTool(client, 'get_run', { workspace });
  const other = await callTool(client, 'get_run', {});
  assert.deepEqual([Object(own.result).calls.length, Object(other.result).calls.length], [2, 0]);
  const none = await callTool(client, 'run_skill', { ...WRITE, workspace: 'of-nobody' });
  assert.deepEqual([none.isError, Object(none.result.error).code], [true, 'DATA_NOT_FOUND']);
});

test('a client of 2025 has no way back to be asked: the question is left for a terminal', async (t) => {
  const served = await serveHttp(t, SKILLS);
  const client = await clientOf(t, served, 'legacy');
  const left = await callTool(client, 'run_skill', WRITE);
  assert.equal(left.result.state, 'interrupted', JSON.stringify(left));
  assert.match(String(left.result.hint), /skillwright resume/);
  assert.equal(existsSync(path.join(served.project, 'note.txt')), false);
});

interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
}

/** With exactly these headers. */
function send(
  port: number,
  headers: Record<string, string>,
  { method = 'POST', at = '/mcp', body = LIST } = {},
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const request = ask({ host: '127.0.0.1', port, path: at, method, headers, setHost: false }, (response) => {
    response.resume().on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers }));
  });
  request.on('error', reject).end(method === 'POST' ? body : undefined);
  return promise;
}

const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

test('another name, another origin, a page and a missing or wrong token are refused, and nobody is told across origins', async (t) => {
  const { port, token } = await serveHttp(t, SKILLS);
  const good = {
    host: `127.0.0.1:${port}`,
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  assert.equal((await send(port, good)).status, 200, 'the control');
  assert.equal(
    (await send(port, { ...good, host: `localhost:${port}`, origin: `http://localhost:${port}` })).status,
    200,
  );
  const { authorization: _, ...anonymous } = good;
  const cases: [Record<string, string>, number][] = [
    [{ ...good, host: `evil.example:${port}` }, 403],
    [{ ...good, host: '127.0.0.1' }, 403],
    [{ ...good, host: `127.0.0.1:${port}.evil.example` }, 403],
    [{ ...good, origin: 'http://evil.example' }, 403],
    [{ ...good, origin: 'null' }, 403],
    [{ ...good, origin: `https://127.0.0.1:${port}` }, 403],
    [{ ...good, origin: `http://127.0.0.1:${port}.evil.example` }, 403],
    [{ ...good, 'sec-fetch-site': 'cross-site' }, 403],
    [{ ...good, 'sec-fetch-site': 'same-site' }, 403],
    [anonymous, 401],
    [{ ...good, authorization: `Bearer ${token.slice(0, -1)}` }, 401],
    [{ ...good, authorization: `Basic ${token}` }, 401],
    [{ ...good, authorization: 'Bearer ' }, 401],
  ];
  for (const [headers, status] of cases) {
    const refused = await send(port, headers);
    assert.equal(refused.status, status, JSON.stringify(headers));
    assert.equal(refused.headers['access-control-allow-origin'], undefined);
  }
  const preflight = await send(port, { ...anonymous, origin: 'http://evil.example' }, { method: 'OPTIONS' });
  assert.deepEqual([preflight.status, preflight.headers['access-control-allow-origin']], [403, undefined]);
  assert.equal((await send(port, good, { at: '/other' })).status, 404);
  assert.equal((await send(port, good, { at: '/mcp?x' })).status, 404);
  assert.equal(
    (await send(port, good, { body: 'x'.repeat(5 * 1024 * 1024) }).catch(() => ({ status: 413 }))).status,
    413,
  );
  assert.equal((await send(port, good)).status, 200, 'it still serves');
});

test('a request with two names is refused', async (t) => {
  const { port, token } = await serveHttp(t, SKILLS);
  const socket = connectTo(port, '127.0.0.1');
  const lines = [
    'POST /mcp HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'Host: evil.example',
    `Authorization: Bearer ${token}`,
  ];
  socket.end(`${lines.join('\r\n')}\r\nContent-Length: 0\r\n\r\n`);
  let answer = '';
  for await (const part of socket) answer += part;
  assert.match(answer, /^HTTP\/1\.1 40[03] /);
});

test('the token is for its owner alone and stays; a file that others can read is refused', async (t) => {
  const { tokenFile, token, project, home } = await serveHttp(t, SKILLS);
  assert.equal(statSync(tokenFile).mode & 0o777, 0o600);
  assert.match(token, /^[0-9a-f]{64}$/);
  chmodSync(tokenFile, 0o644);
  const refused = await runCli(['mcp', '--http', '--port', '0'], { cwd: project, home });
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /no token that only you can read[\s\S]*Remove it/);
  const other = temporaryFolder(t);
  mkdirSync(path.join(other, '.agent', 'mcp'), { recursive: true });
  writeFileSync(path.join(other, '.agent', 'mcp', 'token'), 'short\n', { mode: 0o600 });
  assert.match(
    (await runCli(['mcp', '--http'], { cwd: project, home: other })).stderr,
    /no token that only you can read/,
  );
});

test('a port without --http and a port that is taken are told', async (t) => {
  const { port, project, home } = await serveHttp(t, SKILLS);
  const without = await runCli(['mcp', '--port', '1'], { cwd: project, home });
  assert.deepEqual([without.code, /--port is for --http/.test(without.stderr)], [2, true]);
  const beyond = await runCli(['mcp', '--http', '--host', '0.0.0.0'], { cwd: project, home });
  assert.equal(beyond.code, 2);
  assert.match(beyond.stderr, /programs of this machine only.*unencrypted[\s\S]*hint: .*ssh -L/);
  const taken = await runCli(['mcp', '--http', '--port', String(port)], { cwd: project, home });
  assert.equal(taken.code, 2);
  assert.match(taken.stderr, /port \d+ is taken by another program\s+hint: Give another one with --port/);
});
