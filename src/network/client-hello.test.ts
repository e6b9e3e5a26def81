import assert from 'node:assert/strict';
import { connect, createServer } from 'node:net';
import { test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import fc from 'fast-check';
import { readClientHello } from './client-hello.ts';

/** The first bytes that a real client sends. */
async function helloOf(servername: string, options: object = {}): Promise<Buffer> {
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  const server = createServer((socket) => socket.once('data', (chunk: Buffer) => resolve(chunk)).on('error', () => {}));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as { port: number };
  const socket = connect(port, '127.0.0.1');
  const client = connectTls({ socket, servername, ...options }).on('error', () => {});
  const bytes = await promise;
  client.destroy();
  socket.destroy();
  server.close();
  return bytes;
}

/** The same message in records of that many bytes. */
function inRecords(hello: Buffer, size: number): Buffer {
  const message = hello.subarray(5);
  const parts: Buffer[] = [];
  for (let at = 0; at < message.length; at += size) {
    const part = message.subarray(at, at + size);
    parts.push(Buffer.from([0x16, 3, 1, part.length >> 8, part.length & 255]), part);
  }
  return Buffer.concat(parts);
}

test('the server name is read as soon as the hello is whole, however it is cut', async () => {
  for (const options of [{}, { maxVersion: 'TLSv1.2' }, { ALPNProtocols: ['h2', 'http/1.1'] }]) {
    const hello = await helloOf('api.example.com', options);
    assert.deepEqual(readClientHello(hello), { serverName: 'api.example.com' });
    for (let length = 0; length < hello.length; length++)
      assert.equal(readClientHello(hello.subarray(0, length)), 'more', String(length));
    for (const size of [1, 3, 4, 5, 100]) {
      const cut = inRecords(hello, size);
      assert.deepEqual(readClientHello(cut), { serverName: 'api.example.com' });
      assert.equal(readClientHello(cut.subarray(0, -1)), 'more');
    }
  }
  assert.deepEqual(readClientHello(await helloOf('')), { serverName: undefined });
});

test('what is no hello is told apart at its first bytes', () => {
  for (const text of ['GET / HTTP/1.1', 'SSH-2.0-x', '\x16\x02'])
    assert.equal(readClientHello(Buffer.from(text, 'latin1')), 'other', JSON.stringify(text));
  assert.equal(readClientHello(Buffer.alloc(0)), 'more');
});

test('what begins as TLS and is damaged, foreign or too long is not clear', async () => {
  const whole = inRecords(await helloOf('api.example.com'), 100);
  const mixed = Buffer.concat([whole.subarray(0, 105), Buffer.from('1503010002', 'hex')]);
  for (const hex of ['1603010000', '160301000402000000', '160301000401ffffff', mixed.toString('hex')])
    assert.equal(readClientHello(Buffer.from(hex, 'hex')), 'unclear', hex);
});

test('a damaged hello is never taken for another name, and nothing is thrown', async () => {
  const hello = await helloOf('api.example.com');
  fc.assert(
    fc.property(fc.nat(hello.length - 1), fc.nat(255), (at, byte) => {
      const damaged = Buffer.from(hello);
      damaged[at] = byte;
      const found = readClientHello(damaged);
      if (typeof found === 'object')
        assert.ok(found.serverName === undefined || found.serverName.length <= hello.length);
    }),
    { numRuns: 2000 },
  );
  const twice = withSecondName(hello);
  assert.equal(readClientHello(twice), 'unclear');
});

/** The extension with the server name, once more at the end. */
function withSecondName(hello: Buffer): Buffer {
  const at = hello.indexOf(Buffer.from('api.example.com'));
  const extension = hello.subarray(at - 9, at + 15);
  const grown = Buffer.concat([hello, extension]);
  const add = (place: number, size: number) =>
    grown.writeUIntBE(grown.readUIntBE(place, size) + extension.length, place, size);
  add(3, 2);
  add(6, 3);
  const session = 5 + 4 + 34;
  const ciphers = session + 1 + (hello[session] ?? 0);
  const compression = ciphers + 2 + hello.readUInt16BE(ciphers);
  add(compression + 1 + (hello[compression] ?? 0), 2);
  return grown;
}
