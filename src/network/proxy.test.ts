import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import {
  certified,
  connectThrough,
  exchange,
  serveHttp,
  serveProxy,
  serveRaw,
  type TestProxy,
} from '../../test/support/network/loopback.ts';
import { readHostRule } from '../base/host-rule.ts';
import type { HostAnswer, HostLookup, HostQuestion } from './reach.ts';

const rules =
  (...texts: string[]) =>
  () =>
    texts.map(readHostRule);

const leads =
  (addresses: Readonly<Record<string, string | readonly string[]>>): HostLookup =>
  async (name) =>
    [addresses[name] ?? []].flat().map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

const REFUSED_SOCKS = '\x05\x02\x00\x01\x00\x00\x00\x00\x00\x00';

const get = (url: string, more = '') => `GET ${url} HTTP/1.1\r\nHost: somebody.test\r\n${more}\r\n`;

async function tlsThrough(proxy: TestProxy, authority: string, servername: string): Promise<TLSSocket> {
  const { socket, head } = await connectThrough(proxy.port, authority);
  assert.match(head, /^HTTP\/1\.1 200 /);
  return connectTls({ socket, servername, rejectUnauthorized: false });
}

test('a consented name is resolved outside and reached by plain HTTP, CONNECT and SOCKS5', async (t) => {
  const server = await serveHttp(t, '127.0.0.2');
  const { port } = server;
  const proxy = await serveProxy(t, {
    rules: rules(`api.test:${port}`, `127.0.0.2:${port}`),
    lookup: leads({ 'api.test': '127.0.0.2' }),
  });
  const answer = await exchange(
    proxy.port,
    get(`http://API.test:${port}/x?y=1#z`, 'Proxy-Authorization: x\r\nX-Mine: 1\r\n'),
  );
  assert.ok(answer.startsWith('HTTP/1.1 200 OK\r\n') && answer.endsWith(`hello API.test:${port}/x?y=1\n`), answer);
  const headers = server.requests[0]?.headers;
  assert.deepEqual(
    [headers?.['proxy-authorization'], headers?.['x-mine'], headers?.connection],
    [undefined, '1', 'close'],
  );
  const { socket, head } = await connectThrough(proxy.port, `api.test.:${port}`);
  assert.match(head, /^HTTP\/1\.1 200 /);
  socket.end(`GET /tunnelled HTTP/1.1\r\nHost: api.test:${port}\r\nConnection: close\r\n\r\n`);
  assert.match(String(await once(socket, 'data')), /200 OK/);
  const socks = Buffer.concat([
    Buffer.from([5, 1, 0, 5, 1, 0, 3, 8]),
    Buffer.from('api.test'),
    Buffer.from([port >> 8, port & 255]),
  ]);
  const request = Buffer.from('GET /socks HTTP/1.1\r\nHost: API.test\r\nConnection: close\r\n\r\n');
  const said = await exchange(proxy.port, Buffer.concat([socks, request]));
  assert.ok(said.startsWith('\x05\x00\x05\x00\x00\x01') && said.includes('hello API.test/socks'), said);
  await proxy.close();
  assert.deepEqual(
    proxy.attempts.map(({ way, host, address, verdict }) => [way, host, address, verdict]),
    ['http', 'connect', 'socks'].map((way) => [way, 'api.test', '127.0.0.2', 'allowed']),
  );
  assert.ok(proxy.attempts.every(({ sent, received }) => sent > 40 && received > 100));
  assert.deepEqual(
    proxy.attempts.map(({ opaque }) => opaque),
    [undefined, undefined, undefined],
  );
});

test('threat 77 blocked: what was not consented is refused in each language, is not looked up, and is named', async (t) => {
  const server = await serveHttp(t, '127.0.0.2');
  const { port } = server;
  let lookups = 0;
  const lookup = async () => [{ address: '127.0.0.2', family: 4, at: lookups++ }];
  const proxy = await serveProxy(t, { rules: rules(`good.test:${port}`, '127.0.0.2:1', 'up.test'), lookup });
  const other = 'evil.test';
  assert.match(
    await exchange(proxy.port, get(`http://${other}:${port}/`)),
    /^HTTP\/1\.1 403 .*\r\n[\s\S]*evil\.test:\d+: not-consented/,
  );
  assert.match(await exchange(proxy.port, `CONNECT ${other}:${port} HTTP/1.1\r\n\r\n`), /^HTTP\/1\.1 403 /);
  const words = (host: string) =>
    Buffer.concat([
      Buffer.from([5, 1, 0, 5, 1, 0, 3, host.length]),
      Buffer.from(host),
      Buffer.from([port >> 8, port & 255]),
    ]);
  assert.equal(await exchange(proxy.port, words(other)), `\x05\x00${REFUSED_SOCKS}`);
  const address = Buffer.from([5, 1, 0, 5, 1, 0, 1, 127, 0, 0, 2, port >> 8, port & 255]);
  assert.ok((await exchange(proxy.port, address)).endsWith(REFUSED_SOCKS));
  for (const host of ['good.test.evil.test', 'xgood.test', '127.0.0.2', '[::1]', '2130706434', 'localhost'])
    assert.match(await exchange(proxy.port, get(`http://${host}:${port}/`)), /^HTTP\/1\.1 403 /, host);
  for (const odd of ['http://up.test:22/', 'http://up.test:8080/'])
    assert.match(await exchange(proxy.port, get(odd)), /^HTTP\/1\.1 403 /);
  await proxy.close();
  assert.deepEqual([lookups, server.requests.length], [0, 0]);
  assert.equal(proxy.attempts.length, 12);
  assert.ok(proxy.attempts.every((attempt) => 'reason' in attempt && attempt.reason === 'not-consented'));
  assert.deepEqual(
    proxy.said().slice(6, 10),
    [`127.0.0.2:${port}`, `::1:${port}`, `127.0.0.2:${port}`, `localhost:${port}`].map(
      (host) => `${host} refused not-consented`,
    ),
  );
});

test('threat 75 blocked: a name that leads to a private address is refused unless that very address was consented', async (t) => {
  const server = await serveHttp(t, '127.0.0.2');
  const { port } = server;
  for (const address of [
    '127.0.0.2',
    '::ffff:127.0.0.2',
    '169.254.169.254',
    '10.0.0.1',
    '::1',
    'fe80::1',
    '100.100.100.200',
    '168.63.129.16',
  ]) {
    const proxy = await serveProxy(t, {
      rules: rules(`api.test:${port}`, `127.0.0.3:${port}`, '127.0.0.2'),
      lookup: leads({ 'api.test': address }),
    });
    assert.match(await exchange(proxy.port, get(`http://api.test:${port}/`)), /403 [\s\S]*private-address/, address);
    await proxy.close();
    assert.deepEqual(
      [proxy.said(), proxy.attempts[0]?.address],
      [[`api.test:${port} refused private-address`], address],
    );
  }
  assert.equal(server.requests.length, 0);
  const mixed = await serveProxy(t, {
    rules: rules(`api.test:${port}`, `127.0.0.2:${port}`),
    lookup: leads({ 'api.test': ['10.0.0.1', '127.0.0.2'] }),
  });
  assert.match(await exchange(mixed.port, get(`http://api.test:${port}/`)), /200 OK/);
  assert.equal(server.requests.length, 1);
});

test('threat 75 blocked: a name that is bound anew between two answers is checked for each connection and resolved once for it', async (t) => {
  const good = await serveHttp(t, '127.0.0.2');
  const secret = await serveHttp(t, '127.0.0.3', { port: good.port });
  const answers = ['127.0.0.2', '127.0.0.3', '127.0.0.2', '127.0.0.3'];
  let asked = 0;
  const lookup: HostLookup = async () => [{ address: answers[asked++ % answers.length] ?? '', family: 4 }];
  const proxy = await serveProxy(t, { rules: rules(`re.test:${good.port}`, `127.0.0.2:${good.port}`), lookup });
  for (const expected of [/200 OK/, /private-address/, /200 OK/, /private-address/])
    assert.match(await exchange(proxy.port, get(`http://re.test:${good.port}/`)), expected);
  assert.deepEqual([asked, good.requests.length, secret.requests.length], [4, 2, 0]);
});

test('an index host is reached wherever it is, but not at a link-local address', async (t) => {
  const server = await serveHttp(t, '127.0.0.2');
  const rule = { ...readHostRule(`index.test:${server.port}`), anyAddress: true };
  const open = (address: string) => serveProxy(t, { rules: () => [rule], lookup: leads({ 'index.test': address }) });
  const url = `http://index.test:${server.port}/`;
  assert.match(await exchange((await open('127.0.0.2')).port, get(url)), /200 OK/);
  for (const address of ['169.254.169.254', 'fe80::1', 'fd00:ec2::254'])
    assert.match(await exchange((await open(address)).port, get(url)), /private-address/, address);
});

test('threat 76 blocked: the TLS server name of a tunnel is the host that was asked for', async (t) => {
  const server = await serveHttp(t, '127.0.0.2', { tls: certified('api.test') });
  const { port } = server;
  const proxy = await serveProxy(t, {
    rules: rules(`api.test:${port}`, `127.0.0.2:${port}`),
    lookup: leads({ 'api.test': '127.0.0.2' }),
  });
  const good = await tlsThrough(proxy, `api.test:${port}`, 'API.test');
  good.write(get('/'));
  assert.match(String(await once(good, 'data')), /200 OK/);
  good.destroy();
  const byAddress = await tlsThrough(proxy, `127.0.0.2:${port}`, '');
  byAddress.write(get('/'));
  assert.match(String(await once(byAddress, 'data')), /200 OK/);
  byAddress.destroy();
  for (const [authority, name] of [
    ['api.test', 'front.test'],
    ['api.test', ''],
    ['127.0.0.2', 'api.test'],
  ] as const) {
    const bad = await tlsThrough(proxy, `${authority}:${port}`, name);
    await assert.rejects(once(bad, 'secureConnect'), `${authority} ${name}`);
  }
  await proxy.close();
  assert.equal(server.requests.length, 2);
  assert.deepEqual(
    proxy.said().slice(2),
    ['api.test', 'api.test', '127.0.0.2'].map((host) => `${host}:${port} refused server-name`),
  );
});

test('on port 443 nothing but TLS passes', { skip: process.geteuid?.() !== 0 && 'needs port 443' }, async (t) => {
  const seen: string[] = [];
  const { port } = await serveRaw(
    t,
    '127.0.0.4',
    (socket) => socket.on('data', (chunk) => seen.push(String(chunk))),
    443,
  );
  const proxy = await serveProxy(t, { rules: rules('127.0.0.4'), limits: { headMs: 300 } });
  const { socket } = await connectThrough(proxy.port, `127.0.0.4:${port}`);
  socket.write('SSH-2.0-x\r\n');
  await once(socket, 'close');
  const silent = await connectThrough(proxy.port, `127.0.0.4:${port}`);
  await once(silent.socket, 'close');
  await proxy.close();
  assert.deepEqual(seen, []);
  assert.deepEqual(proxy.said(), Array(2).fill('127.0.0.4:443 refused not-tls'));
});

test('threat 76 blocked: on any port what began as TLS and names nobody that can be read is refused', async (t) => {
  const seen: string[] = [];
  const { port } = await serveRaw(t, '127.0.0.4', (socket) => socket.on('data', (chunk) => seen.push(String(chunk))));
  const proxy = await serveProxy(t, { rules: rules(`127.0.0.4:${port}`), limits: { idleMs: 500 } });
  const record = Buffer.concat([Buffer.from('1603014000', 'hex'), Buffer.alloc(0x4000, 1)]);
  const tooLong = Buffer.concat([Buffer.from('160301400001013880', 'hex'), record.subarray(9), record, record, record]);
  for (const bytes of ['160301', '1603010000', '160301000402000000']
    .map((hex) => Buffer.from(hex, 'hex'))
    .concat(tooLong)) {
    const { socket } = await connectThrough(proxy.port, `127.0.0.4:${port}`);
    socket.on('error', () => {}).write(bytes);
    await new Promise((resolve) => void socket.once('close', resolve));
  }
  await proxy.close();
  assert.deepEqual(seen, []);
  assert.deepEqual(proxy.said(), Array(4).fill(`127.0.0.4:${port} refused server-name`));
});

test('where a server speaks first, its greeting arrives, and half-closed connections go on', async (t) => {
  const { port } = await serveRaw(t, '127.0.0.2', (socket) => {
    socket.write('220 ready\r\n');
    let got = '';
    socket.on('data', (chunk) => {
      got += chunk;
    });
    socket.on('end', () => socket.end(`got ${got}`));
  });
  const proxy = await serveProxy(t, { rules: rules(`127.0.0.2:${port}`) });
  const said = await exchange(proxy.port, `CONNECT 127.0.0.2:${port} HTTP/1.1\r\n\r\nEHLO me\r\n`, { half: true });
  assert.match(said, /^HTTP\/1\.1 200 [\s\S]*220 ready\r\ngot EHLO me\r\n$/);
});

test('a withdrawn consent cuts open connections at once and refuses new ones', async (t) => {
  const { port } = await serveRaw(t, '127.0.0.2', (socket) => socket.on('data', (chunk) => socket.write(chunk)));
  let allowed = rules(`127.0.0.2:${port}`)();
  const proxy = await serveProxy(t, { rules: () => allowed });
  const { socket } = await connectThrough(proxy.port, `127.0.0.2:${port}`);
  socket.write('ping');
  assert.equal(String(await once(socket, 'data')), 'ping');
  allowed = [];
  const began = Date.now();
  await once(socket, 'close');
  assert.ok(Date.now() - began < 1000, `${Date.now() - began} ms`);
  assert.match(await exchange(proxy.port, get(`http://127.0.0.2:${port}/`)), /not-consented/);
  await proxy.close();
  assert.deepEqual(proxy.said(), [`127.0.0.2:${port} refused revoked`, `127.0.0.2:${port} refused not-consented`]);
  const broken = await serveProxy(t, {
    rules: () => {
      throw new Error('unreadable');
    },
  });
  assert.match(await exchange(broken.port, get(`http://127.0.0.2:${port}/`)), /not-consented/);
});

test('an attempt waits for an answer, each host is asked about once, and there are three questions', async (t) => {
  const server = await serveHttp(t, '127.0.0.2');
  const { port } = server;
  const questions: HostQuestion[] = [];
  const answers: Record<string, HostAnswer> = { 'yes.test': 'once', 'no.test': 'no' };
  const ask = async (question: HostQuestion) => {
    questions.push(question);
    if (question.host === 'slow.test') await new Promise(() => {});
    await new Promise((resolve) => setTimeout(resolve, 50));
    return answers[question.host] ?? 'no';
  };
  const lookup = async () => [{ address: '127.0.0.2', family: 4 }];
  const proxy = await serveProxy(t, { rules: rules(`127.0.0.2:${port}`), ask, lookup, limits: { askMs: 200 } });
  const reach = (host: string) => exchange(proxy.port, get(`http://${host}:${port}/`));
  const both = await Promise.all([reach('yes.test'), reach('YES.test.')]);
  for (const answer of both) assert.match(answer, /200 OK/);
  assert.match(await reach('yes.test'), /200 OK/);
  for (const expected of [/answered-no/, /answered-no/]) assert.match(await reach('no.test'), expected);
  assert.match(await reach('slow.test'), /not-answered/);
  assert.match(await reach('fourth.test'), /too-many-questions/);
  assert.match(await reach('yes.test'), /200 OK/);
  assert.deepEqual(
    questions.map(({ host }) => host),
    ['yes.test', 'no.test', 'slow.test'],
  );
});

test('bytes, connections and time are bounded', async (t: TestContext) => {
  const endless = await serveRaw(t, '127.0.0.2', (socket) => {
    const chunk = Buffer.alloc(65_536);
    const flood = () => {
      while (socket.writable && socket.write(chunk));
    };
    socket.on('drain', flood).on('data', flood);
  });
  const allowed = { rules: rules(`127.0.0.2:${endless.port}`) };
  const proxy = await serveProxy(t, { ...allowed, limits: { bytes: 1_000_000 } });
  const got = await exchange(proxy.port, get(`http://127.0.0.2:${endless.port}/`));
  assert.ok(got.length <= 1_000_000 && got.length > 100_000, String(got.length));
  await proxy.close();
  assert.deepEqual(proxy.said(), [`127.0.0.2:${endless.port} refused byte-limit`]);

  const few = await serveProxy(t, { ...allowed, limits: { connections: 2, headMs: 150, idleMs: 150 } });
  assert.equal(await exchange(few.port, ''), '');
  const { socket } = await connectThrough(few.port, `127.0.0.2:${endless.port}`);
  await once(socket, 'close');
  assert.match(await exchange(few.port, get(`http://127.0.0.2:${endless.port}/`)), /connection-limit/);
  assert.equal(await exchange(few.port, get(`http://127.0.0.2:${endless.port}/`)), '');

  const narrow = await serveProxy(t, { ...allowed, limits: { connectionsAtOnce: 2 } });
  const first = await connectThrough(narrow.port, `127.0.0.2:${endless.port}`);
  assert.match(await exchange(narrow.port, get(`http://127.0.0.2:${endless.port}/`)), /connection-limit/);
  first.socket.destroy();
});

test('a host that refuses, resets, is silent or has no address is a failure, not a refusal', async (t) => {
  const resets = await serveRaw(t, '127.0.0.2', (socket) => socket.on('data', () => socket.resetAndDestroy()));
  const proxy = await serveProxy(t, {
    rules: rules(`127.0.0.2:${resets.port}`, '127.0.0.2:9', 'nobody.test', 'slow.test'),
    lookup: (name) => (name === 'slow.test' ? new Promise(() => {}) : Promise.reject(new Error('ENOTFOUND'))),
    limits: { lookupMs: 100 },
  });
  assert.equal(await exchange(proxy.port, get(`http://127.0.0.2:${resets.port}/`)), '');
  assert.match(await exchange(proxy.port, get('http://127.0.0.2:9/')), /502 [\s\S]*unreachable/);
  assert.match(await exchange(proxy.port, get('http://nobody.test/')), /502 [\s\S]*unresolved/);
  assert.match(await exchange(proxy.port, get('http://slow.test/')), /504 [\s\S]*timeout/);
  await proxy.close();
  assert.deepEqual(
    proxy.attempts.map(({ verdict }) => verdict),
    ['allowed', 'failed', 'failed', 'failed'],
  );
});

test('threat 76 blocked: a redirect is a new attempt; a second request on the same connection goes nowhere', async (t) => {
  const server = await serveHttp(t, '127.0.0.2', {
    answer: (request, response) => {
      if (request.url === '/') response.writeHead(302, { location: 'http://evil.test/' });
      request.resume().on('end', () => response.end(`body ${request.method}`));
    },
  });
  const { port } = server;
  const proxy = await serveProxy(t, { rules: rules(`127.0.0.2:${port}`) });
  const url = `http://127.0.0.2:${port}/`;
  const two = await exchange(proxy.port, `${get(url)}${get(`${url}second`)}`);
  assert.match(two, /302 Found[\s\S]*location: http:\/\/evil\.test\//i);
  assert.match(await exchange(proxy.port, get('http://evil.test/')), /not-consented/);
  const posted = `POST ${url}x HTTP/1.1\r\nContent-Length: 4\r\n\r\nabcdGET / HTTP/1.1\r\nHost: evil.test\r\n\r\n`;
  assert.match(await exchange(proxy.port, posted), /body POST$/);
  const chunked = `POST ${url}y HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n${get('/z')}`;
  assert.match(await exchange(proxy.port, chunked), /body POST$/);
  for (const lengths of ['Content-Length: 1\r\nContent-Length: 1', 'Content-Length: 1\r\nTransfer-Encoding: chunked'])
    assert.match(await exchange(proxy.port, `POST ${url} HTTP/1.1\r\n${lengths}\r\n\r\na`), /malformed/);
  assert.match(
    await exchange(proxy.port, `POST ${url} HTTP/1.1\r\nTransfer-Encoding: x, chunked\r\n\r\na`),
    /malformed/,
  );
  assert.deepEqual(
    server.requests.map((request) => request.url),
    ['/', '/x', '/y'],
  );
});

test('what no proxy understands is answered, ends, and reaches nobody', async (t) => {
  const proxy = await serveProxy(t, { rules: rules('127.0.0.2') });
  const odd = [
    get('/'),
    get('https://127.0.0.2/'),
    get('ftp://127.0.0.2/'),
    get('http:///x'),
    get('http://a@127.0.0.2/'),
    get('http://127.0.0.2:0/'),
    get('http://127.0.0.2:99999/'),
    'CONNECT 127.0.0.2 HTTP/1.1\r\n\r\n',
    'CONNECT 127.0.0.2:443 HTTP/2.0\r\n\r\n',
    'GET http://127.0.0.2/ HTTP/1.1\r\nHost : x\r\n\r\n',
    'GET http://127.0.0.2/ HTTP/1.1\r\nA: b\r\n c\r\n\r\n',
    'GET http://127.0.0.2/ HTTP/1.1\r\nA: b\nHost: c\r\n\r\n',
    `GET http://127.0.0.2/ HTTP/1.1\r\n${'x: y\r\n'.repeat(20_000)}`,
    '\x16\x03\x01\x00\x00\r\n\r\n',
  ];
  for (const sent of odd)
    assert.match(await exchange(proxy.port, sent), /^HTTP\/1\.1 400 /, JSON.stringify(sent.slice(0, 40)));
  for (const sent of ['\x05\x01\x02', '\x05\x00', '\x04\x01\x00\x50\x7f\x00\x00\x02\x00']) {
    const answer = await exchange(proxy.port, Buffer.from(sent, 'latin1'), { half: true });
    assert.ok(answer === '\x05\xff' || answer.startsWith('HTTP/1.1 400'), JSON.stringify([sent, answer]));
  }
  const toBind = Buffer.from([5, 1, 0, 5, 3, 0, 1, 0, 0, 0, 0, 0, 0]);
  assert.ok((await exchange(proxy.port, toBind)).startsWith('\x05\x00\x05\x07'));
  assert.deepEqual(proxy.attempts, []);
});
