import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { openSignalSender, type Sent } from './send.ts';

test('a receiver that wishes to be asked again at once is not asked without end', async (t) => {
  const { sent, asked } = await sendTo(t, '503 Busy', 'retry-after: 0\r\ncontent-length: 0');
  assert.deepEqual(sent, { ok: false, reason: 'the receiver answered 503' });
  assert.ok(asked <= 4, String(asked));
});

test('a receiver that answers with another protocol holds nobody up', async (t) => {
  const { sent } = await sendTo(t, '101 Switching Protocols', 'upgrade: x\r\nconnection: upgrade');
  assert.equal(sent.ok, false);
});

async function sendTo(t: TestContext, status: string, headers: string): Promise<{ sent: Sent; asked: number }> {
  let asked = 0;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => {
      if (!String(data).startsWith('POST')) return;
      asked++;
      socket.write(`HTTP/1.1 ${status}\r\n${headers}\r\n\r\n`);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`;
  const { signal } = new AbortController();
  const transport = openSignalSender(
    { url, headers: {}, timeoutMs: 60_000 },
    { totalMs: 1_000, shutdown: signal, end: signal },
  );
  t.after(() => transport.close());
  return { sent: await transport.send('{}'), asked };
}
