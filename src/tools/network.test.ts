import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { Fault } from '../base/errors.ts';
import { isPrivateAddress } from '../base/value/private-address.ts';
import { defaultNetworkPolicy, type NetworkPolicy, requestNetwork } from './network.ts';

const open: NetworkPolicy = { ...defaultNetworkPolicy, timeoutMs: 5_000, refuses: () => false };
const faultOf = (type: string) => (error: unknown) => error instanceof Fault && error.type === type;

interface Listener {
  port: number;
  seen: IncomingMessage[];
}

async function listen(
  t: TestContext,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  host = '127.0.0.1',
): Promise<Listener> {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    answer(request, response);
  });
  await new Promise<void>((ready) => server.listen(0, host, ready));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, seen };
}

const hello = (_request: IncomingMessage, response: ServerResponse) => response.end('hello');

test('threat 63 blocked: every spelling of a private address is refused and the listener sees nothing', async (t) => {
  const { port, seen } = await listen(t, hello);
  const hosts = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '017700000001',
    '①②⑦.⓪.⓪.①',
    '[::1]',
    '[::ffff:127.0.0.1]',
    'localhost',
    '0.0.0.0',
    '[64:ff9b::7f00:1]',
  ];
  for (const host of hosts) {
    await assert.rejects(
      requestNetwork({ url: `http://${host}:${port}/` }, { ...defaultNetworkPolicy, timeoutMs: 3_000 }),
      faultOf('PathBlocked'),
      host,
    );
  }
  assert.equal(seen.length, 0);
});

test('threat 63 control: with the address rule off the same request arrives', async (t) => {
  const { port, seen } = await listen(t, hello);
  const answer = await requestNetwork({ url: `http://127.0.0.1:${port}/x` }, open);
  assert.equal(Buffer.from(answer.body).toString(), 'hello');
  assert.equal(seen.length, 1);
});

test('threat 63 blocked: a redirect is judged like the first request', async (t) => {
  const { port, seen } = await listen(t, (request, response) => {
    if (request.url === '/') response.writeHead(302, { location: '/next' });
    response.end('hello');
  });
  // The same name leads to another address by the time of the redirect.
  const addresses = () => {
    let asked = 0;
    return async () => (asked++ === 0 ? '127.0.0.1' : '127.0.0.2');
  };
  const refuses = (address: string) => address === '127.0.0.2';
  const url = `http://good.test:${port}/`;
  await assert.rejects(requestNetwork({ url }, { ...open, refuses, resolve: addresses() }), faultOf('PathBlocked'));
  assert.equal(seen.length, 1);
  const { url: end } = await requestNetwork({ url }, { ...open, resolve: async () => '127.0.0.1' });
  assert.deepEqual([seen.length, end], [3, `${url}next`]);
});

test('threat 63 blocked: a name is resolved once, so a second answer cannot change the address', async (t) => {
  const { port, seen } = await listen(t, hello);
  const answers = ['127.0.0.1', '127.0.0.9'];
  let asked = 0;
  const policy = { ...open, resolve: async () => answers[asked++] ?? '' };
  await requestNetwork({ url: `http://rebind.example:${port}/` }, policy);
  assert.equal(asked, 1);
  assert.equal(seen[0]?.headers.host, `rebind.example:${port}`);
});

test('on the same host a moved POST becomes a GET and keeps its headers', async (t) => {
  const { port, seen } = await listen(t, (request, response) => {
    if (request.url === '/') response.writeHead(302, { location: '/moved' });
    response.end('hello');
  });
  const headers = { Authorization: 'secret', 'X-Kept': '1' };
  await requestNetwork({ url: `http://127.0.0.1:${port}/`, method: 'POST', body: 'x', headers }, open);
  const { method, headers: sent } = seen[1] ?? {};
  assert.deepEqual([method, sent?.authorization, sent?.['x-kept']], ['GET', 'secret', '1']);
});

test('another host, port or scheme is not followed, and neither is what the permission does not cover', async (t) => {
  let location = '';
  const { port, seen } = await listen(t, (_request, response) => {
    response.writeHead(307, { location }).end();
  });
  const url = `http://127.0.0.1:${port}/`;
  const elsewhere = [
    'http://127.0.0.2/',
    `http://localhost:${port}/`,
    `https://127.0.0.1:${port}/`,
    'http://127.0.0.1/',
  ];
  for (location of [...elsewhere, '//evil.test/x', 'ftp://127.0.0.1/', 'data:,x'])
    await assert.rejects(requestNetwork({ url }, open), (error) => {
      assert.ok(error instanceof Fault && error.type === 'PermissionDenied', location);
      assert.equal(error.details?.redirect, new URL(location, url).href);
      return true;
    });
  location = '/admin';
  const covers = (asked: string) => !asked.endsWith('/admin');
  await assert.rejects(requestNetwork({ url }, { ...open, covers }), faultOf('PermissionDenied'));
  assert.equal(seen.length, 8);
});

test('a body over the limit, endless redirects, silence and odd URLs are typed failures', async (t) => {
  const flood = await listen(t, (_request, response) => {
    response.end(Buffer.alloc(100_000));
  });
  await assert.rejects(
    requestNetwork({ url: `http://127.0.0.1:${flood.port}/` }, { ...open, maxBytes: 1_000 }),
    faultOf('OutputLimit'),
  );
  const circle = await listen(t, (_request, response) => {
    response.writeHead(302, { location: '/again' }).end();
  });
  await assert.rejects(
    requestNetwork({ url: `http://127.0.0.1:${circle.port}/` }, open),
    faultOf('ExternalServiceError'),
  );
  assert.equal(circle.seen.length, 6);
  const silent = await listen(t, () => {});
  await assert.rejects(
    requestNetwork({ url: `http://127.0.0.1:${silent.port}/` }, { ...open, timeoutMs: 100 }),
    faultOf('Timeout'),
  );
  await assert.rejects(requestNetwork({ url: 'file:///etc/passwd' }, open), faultOf('PathBlocked'));
  await assert.rejects(requestNetwork({ url: 'http://user:pass@127.0.0.1/' }, open), faultOf('PathBlocked'));
  await assert.rejects(requestNetwork({ url: 'nonsense' }, open), faultOf('ParamInvalid'));
  await assert.rejects(requestNetwork({ url: 'http://127.0.0.1/', method: 'TRACE' }, open), faultOf('ParamInvalid'));
});

test('private ranges are known, public addresses are not among them', () => {
  for (const address of [
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '168.63.129.16',
    '100.64.0.1',
    'fe80::1%eth0',
    'fd00::1',
    '::',
    '2002:7f00:1::',
    'name',
  ]) {
    assert.ok(isPrivateAddress(address), address);
  }
  for (const address of ['1.1.1.1', '172.32.0.1', '2606:4700::1111', '9.9.9.9'])
    assert.ok(!isPrivateAddress(address), address);
});

test('a request does not load fetch beside the client it uses', () => {
  const module = new URL('./network.ts', import.meta.url).href;
  const program = `
    const { createServer } = process.getBuiltinModule('node:http');
    const { requestNetwork, defaultNetworkPolicy } = await import(${JSON.stringify(module)});
    const server = createServer((request, response) => response.end('hello')).listen(0, '127.0.0.1', async () => {
      const url = 'http://127.0.0.1:' + server.address().port;
      const { status } = await requestNetwork({ url }, { ...defaultNetworkPolicy, refuses: () => false });
      console.log(status, process.moduleLoadList.some((name) => name.includes('undici')));
      server.close();
    });`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  assert.equal(stdout, '200 false\n', stderr);
});

test('threat 63 blocked: an answer with another protocol, or one that never ends, holds nobody up', async (t) => {
  const upgrade = await listen(t, (_, response) => {
    response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n');
  });
  await assert.rejects(
    requestNetwork({ url: `http://127.0.0.1:${upgrade.port}/` }, open),
    faultOf('ExternalServiceError'),
  );
  const drip = await listen(t, (_, response) => void response.writeHead(200).write('x'));
  const soon = { ...open, timeoutMs: 200 };
  await assert.rejects(requestNetwork({ url: `http://127.0.0.1:${drip.port}/` }, soon), faultOf('Timeout'));
});
