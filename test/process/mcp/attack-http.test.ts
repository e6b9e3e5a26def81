// A hostile neighbour and a page of a browser at the port of `skillwright mcp --http`: raw bytes, and honest work as the control.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect as connectTo, type Socket } from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { WRITER } from '../../support/library/handle.ts';
import { MODERN } from '../../support/mcp/client.ts';
import { type Served, serveHttp } from '../../support/mcp/http.ts';
import { runCli, temporaryFolder } from '../../support/support.ts';

const _meta = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

function bodyOf(method: string, params: object = {}): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } });
}

function headOf({ port, token }: Served, more: Readonly<Record<string, string | undefined>> = {}): string[] {
  const fields = {
    host: `127.0.0.1:${port}`,
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    connection: 'close',
    'mcp-protocol-version': MODERN,
    ...more,
  };
  return Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
}

interface Wish {
  readonly line?: string;
  readonly more?: Readonly<Record<string, string | undefined>>;
  readonly extra?: readonly string[];
  readonly body?: string;
}

function bytesOf(served: Served, { line = 'POST /mcp HTTP/1.1', more, extra = [], body = LIST }: Wish = {}): string {
  const named = { 'mcp-method': methodIn(body), 'content-length': String(Buffer.byteLength(body)), ...more };
  return `${[line, ...headOf(served, named), ...extra].join('\r\n')}\r\n\r\n${body}`;
}

function methodIn(body: string): string | undefined {
  return /"method":"([^"]+)"/.exec(body)?.[1];
}

const LIST = bodyOf('tools/list');

/** All that came back until the server closed. */
async function send({ port }: Served, bytes: string): Promise<string> {
  const socket = connectTo(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (part) => {
    answer += part.toString();
  });
  socket.on('error', () => {});
  socket.write(bytes);
  await new Promise((resolve) => socket.once('close', resolve));
  return answer;
}

function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
}

async function stillServes(served: Served): Promise<void> {
  const answer = await send(served, bytesOf(served));
  assert.equal(statusOf(answer), 200, answer);
  assert.match(answer, /search_skills/);
}

test('blocked: a token anywhere but in its header, and forms of the address that mean another place', async (t) => {
  const served = await serveHttp(t, WRITER);
  const { token, port } = served;
  const bare = { authorization: undefined };
  const cases: [string, Wish, readonly number[]][] = [
    ['in the query', { line: `POST /mcp?token=${token} HTTP/1.1`, more: bare }, [401]],
    ['in the address', { line: `POST http://user:${token}@127.0.0.1:${port}/mcp HTTP/1.1`, more: bare }, [401]],
    ['in a cookie', { more: { ...bare, cookie: `token=${token}` } }, [401]],
    ['in another header', { more: { ...bare, 'proxy-authorization': `Bearer ${token}` } }, [401]],
    [
      'twice, the first wrong',
      { more: bare, extra: ['authorization: Bearer 0', `authorization: Bearer ${token}`] },
      [401],
    ],
    ['with more behind it', { more: { authorization: `Bearer ${token}, Bearer x` } }, [401]],
    ['of another case', { more: { authorization: `Bearer ${token.toUpperCase().replaceAll(/\d/g, '0')}` } }, [401]],
    ['another host in the address', { line: 'POST http://evil.example/mcp HTTP/1.1' }, [400, 403, 404]],
    [
      'another host in the header',
      { line: `POST http://127.0.0.1:${port}/mcp HTTP/1.1`, more: { host: 'evil.example' } },
      [403],
    ],
    ['a name with a dot', { more: { host: `localhost.:${port}` } }, [403]],
    ['a number for the address', { more: { host: `2130706433:${port}` } }, [403]],
    ['the other loopback', { more: { host: `[::1]:${port}` } }, [403]],
    ['no host', { more: { host: undefined } }, [400, 403]],
    ['two origins', { extra: [`origin: http://127.0.0.1:${port}`, 'origin: http://evil.example'] }, [403]],
    ['a page of the same name on another port', { more: { origin: 'http://localhost:1' } }, [403]],
    ['a page without cors', { more: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' } }, [403]],
    ['a form of a page', { more: { ...bare, 'content-type': 'text/plain', origin: 'null' } }, [403]],
    ['a form with the token', { more: { 'content-type': 'text/plain' } }, [400, 415]],
    [
      'a socket of a page',
      { line: 'GET /mcp HTTP/1.1', more: { ...bare, connection: 'Upgrade', upgrade: 'websocket' } },
      [401],
    ],
    ['/mcp/', { line: 'POST /mcp/ HTTP/1.1' }, [404]],
    ['/MCP', { line: 'POST /MCP HTTP/1.1' }, [404]],
    ['//mcp', { line: 'POST //mcp HTTP/1.1' }, [404]],
    ['/%6dcp', { line: 'POST /%6dcp HTTP/1.1' }, [404]],
    ['/x/../mcp', { line: 'POST /x/../mcp HTTP/1.1' }, [404]],
  ];
  for (const [what, wish, statuses] of cases) {
    const answer = await send(served, bytesOf(served, wish));
    assert.ok(statuses.includes(statusOf(answer)), `${what}: ${answer}`);
    assert.ok(!answer.includes(token), `${what}: ${answer}`);
    assert.doesNotMatch(answer, /access-control|search_skills/i, what);
  }
  await stillServes(served);
});

test('blocked: requests that two readers would read differently, and methods there are not', async (t) => {
  const served = await serveHttp(t, WRITER);
  const smuggled = `0\r\n\r\n${bytesOf(served, { more: { authorization: undefined } })}`;
  const cases: [string, string][] = [
    ['two kinds of length', bytesOf(served, { extra: ['transfer-encoding: chunked'], body: smuggled })],
    ['two lengths', bytesOf(served, { extra: ['content-length: 0'] })],
    ['an odd length', bytesOf(served, { more: { 'content-length': '+5' } })],
    [
      'an odd encoding',
      bytesOf(served, { more: { 'content-length': undefined }, extra: ['transfer-encoding: xchunked'] }),
    ],
    ['a folded header', bytesOf(served, { extra: ['x-a: 1', ' authorization: x'] })],
    ['a header with NUL', bytesOf(served, { extra: ['x-a: \0'] })],
    ['64 KiB of headers', bytesOf(served, { extra: [`x-a: ${'y'.repeat(64 * 1024)}`] })],
    ['ten thousand headers', bytesOf(served, { extra: Array.from({ length: 10_000 }, (_, at) => `x-${at}: 1`) })],
    ['no protocol', 'POST /mcp\r\n\r\n'],
    ['another protocol', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['bytes', '\x16\x03\x01\x02\x00\x01\x00'.padEnd(64, '\x00')],
    ...['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'OPTIONS', 'CONNECT', 'PURGE'].map(
      (method): [string, string] => [method, bytesOf(served, { line: `${method} /mcp HTTP/1.1` })],
    ),
  ];
  for (const [what, bytes] of cases) {
    const answer = await send(served, bytes);
    const status = statusOf(answer);
    assert.ok(status === 0 || status >= 400, `${what}: ${answer}`);
    assert.doesNotMatch(answer, /search_skills/, what);
  }
  for (const body of ['', '{', '[]', `[${LIST},${LIST}]`, 'null', '7', '{"jsonrpc":"2.0"}', '['.repeat(100_000)]) {
    const answer = await send(served, bytesOf(served, { body }));
    assert.ok(statusOf(answer) >= 400 || /"error"/.test(answer), `${body.slice(0, 40)}: ${answer}`);
  }
  await stillServes(served);
});

test('blocked: the token is asked of every request of a connection', async (t) => {
  const served = await serveHttp(t, WRITER);
  const first = bytesOf(served, { more: { connection: 'keep-alive' } });
  const second = bytesOf(served, { more: { authorization: undefined } });
  const answer = await send(served, first + second);
  assert.deepEqual(
    [...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status),
    ['200', '401'],
    answer,
  );
});

test('bounded: neighbours who hold hundreds of connections keep nobody out who has the token', async (t) => {
  const served = await serveHttp(t, WRITER);
  const held = await Promise.all(Array.from({ length: 700 }, () => hold(t, served.port)));
  for (const socket of held) socket.write('POST /mcp HTTP/1.1\r\nhost: 127');
  await stillServes(served);
  const slow = await Promise.all(Array.from({ length: 20 }, () => hold(t, served.port)));
  for (const socket of slow) socket.write(bytesOf(served, { more: { 'content-length': '4000000' }, body: '{' }));
  await stillServes(served);
  assert.ok(held.filter(({ destroyed }) => !destroyed).length <= 512, 'the control: there is a bound');
});

async function hold(t: TestContext, port: number): Promise<Socket> {
  const socket = connectTo(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.on('data', () => {});
  t.after(() => socket.destroy());
  await new Promise((resolve) => {
    socket.once('connect', resolve);
    socket.once('close', resolve);
  });
  return socket;
}

test('bounded: of calls at once that name no workspace not all get one, and those that have one go on', async (t) => {
  const served = await serveHttp(t, WRITER);
  const call = (given: object) =>
    send(
      served,
      bytesOf(served, {
        more: { 'mcp-name': 'run_skill' },
        body: bodyOf('tools/call', { name: 'run_skill', arguments: given }),
      }),
    );
  const answers = await Promise.all(Array.from({ length: 100 }, () => call({ skill: 'none' })));
  const full = answers.filter((answer) => /workspaces are open/.test(answer)).length;
  const opened = answers.filter((answer) => /SKILL_NOT_FOUND/.test(answer));
  assert.deepEqual([opened.length, full], [64, 36], answers[0]);
  const [, workspace = ''] = /"workspace":"([^"]+)"/.exec(opened[0] ?? '') ?? [];
  assert.match(await call({ skill: 'none', workspace }), /SKILL_NOT_FOUND/, 'the control');
});

test('blocked: a token file that is a link, a pipe, a folder, or too large ends the command', async (t) => {
  // Whoever took the token would find the port taken, and end with another code.
  const { project, port } = await serveHttp(t, WRITER);
  const makes: Record<string, (file: string) => void> = {
    link: (file) => {
      writeFileSync(`${file}.real`, `${'a'.repeat(64)}\n`, { mode: 0o600 });
      symlinkSync(`${file}.real`, file);
    },
    dangling: (file) => symlinkSync(`${file}.none`, file),
    pipe: (file) => void spawnSync('mkfifo', ['-m', '600', file]),
    folder: (file) => mkdirSync(file, { mode: 0o700 }),
    large: (file) => writeFileSync(file, `${'a'.repeat(64)}${' '.repeat(1000)}`, { mode: 0o600 }),
  };
  for (const [what, make] of Object.entries(makes)) {
    const home = temporaryFolder(t);
    mkdirSync(path.join(home, '.agent', 'mcp'), { recursive: true });
    make(path.join(home, '.agent', 'mcp', 'token'));
    const refused = await runCli(['mcp', '--http', '--port', String(port)], { cwd: project, home });
    assert.equal(refused.code, 1, what);
    assert.match(refused.stderr, /no token that only you can read/, what);
  }
});
