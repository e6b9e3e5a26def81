import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { connectThrough, exchange, hello, listen, serveHttp, serveProxy } from '../../test/support/network/loopback.ts';
import { Fault } from '../base/errors.ts';
import { readHostRule } from '../base/host-rule.ts';
import { readUpstream } from './upstream.ts';

test('the address of an upstream proxy is read, and its password never shown', () => {
  assert.deepEqual(readUpstream('http://proxy.example.com:3128'), { host: 'proxy.example.com', port: 3128 });
  assert.deepEqual(readUpstream('http://me:p%40ss@[::1]:8080/'), {
    ...{ host: '::1', port: 8080 },
    authorization: `Basic ${Buffer.from('me:p@ss').toString('base64')}`,
  });
  for (const odd of ['', 'proxy:3128', 'socks5://proxy:1', 'https://me:secret@proxy/', 'http://me:secret@proxy/x?y'])
    assert.throws(
      () => readUpstream(odd),
      (error) => error instanceof Fault && error.type === 'ConfigInvalid' && !JSON.stringify(error).includes('secret'),
    );
});

test('everything that is consented goes through the upstream proxy by name, and nothing else does', async (t) => {
  const server = await serveHttp(t, '127.0.0.2');
  const seen: string[] = [];
  const upstream = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers['proxy-authorization']}`);
    hello(request, response);
  }).on('connect', (request, socket) => {
    seen.push(`CONNECT ${request.url} ${request.headers['proxy-authorization']}`);
    if (request.url?.startsWith('closed')) return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    const onward = connect(server.port, '127.0.0.2');
    socket.write('HTTP/1.1 200 OK\r\nX: y\r\n\r\n');
    socket
      .pipe(onward)
      .pipe(socket)
      .on('error', () => {});
  });
  const port = await listen(t, upstream, '127.0.0.5');
  const proxy = await serveProxy(t, {
    rules: () => ['far.test:8080', 'plain.test', 'closed.test', 'inner.test', '127.0.0.2:1'].map(readHostRule),
    // Names of the world outside are not known here.
    lookup: async (name) => {
      if (name === 'proxy.test') return [{ address: '127.0.0.5', family: 4 }];
      if (name === 'inner.test') return [{ address: '10.0.0.1', family: 4 }];
      throw new Error('ENOTFOUND');
    },
    upstream: readUpstream(`http://me:word@proxy.test:${port}`),
  });
  const { socket, head } = await connectThrough(proxy.port, 'far.test:8080');
  assert.match(head, /^HTTP\/1\.1 200 /);
  socket.write('GET /far HTTP/1.1\r\nHost: far.test\r\n\r\n');
  assert.match(String(await once(socket, 'data')), /hello far\.test\/far/);
  socket.destroy();
  assert.match(await exchange(proxy.port, 'GET http://plain.test/x HTTP/1.1\r\n\r\n'), /hello plain\.test/);
  assert.match(await exchange(proxy.port, 'CONNECT closed.test:443 HTTP/1.1\r\n\r\n'), /502 [\s\S]*upstream/);
  assert.match(await exchange(proxy.port, 'CONNECT other.test:443 HTTP/1.1\r\n\r\n'), /403 [\s\S]*not-consented/);
  assert.match(await exchange(proxy.port, 'CONNECT inner.test:443 HTTP/1.1\r\n\r\n'), /403 [\s\S]*private-address/);
  await proxy.close();
  const login = `Basic ${Buffer.from('me:word').toString('base64')}`;
  assert.deepEqual(seen, [
    `CONNECT far.test:8080 ${login}`,
    `GET http://plain.test/x ${login}`,
    `CONNECT closed.test:443 ${login}`,
  ]);
});
