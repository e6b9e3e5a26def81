import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createRequestJudge } from './tunnelled-http.ts';

const get = (host: string, more = '') => `GET / HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`;
const POST = 'POST / HTTP/1.1\r\nHost: good.test\r\nContent-Length: 4\r\n\r\nabcd';
const CHUNKED = 'POST / HTTP/1.1\r\nHost: good.test\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n';

/** How many bytes a server has by the time it is refused; undefined where all passes. */
function refusedAfter(text: string, cuts: readonly number[] = []): number | undefined {
  const judge = createRequestJudge('good.test');
  const bytes = Buffer.from(text, 'latin1');
  let at = 0;
  for (const cut of [...cuts, bytes.length]) {
    const part = bytes.subarray(at, at + cut);
    if (!judge.mayPass(part)) return at;
    at += part.length;
  }
  return undefined;
}

const FINE = [
  ...[get('good.test'), get('GOOD.test.:80'), POST + get('good.test') + CHUNKED + get('good.test')],
  ...['GET http://good.test/ HTTP/1.1\r\nHost: good.test\r\n\r\n', 'OPTIONS * HTTP/1.0\r\n\r\n'],
  ...['GET key\r\n', 'a'.repeat(20_000), 'é'.repeat(20_000), get('good.test', 'Upgrade: websocket\r\n')],
  ...['ping', 'EHLO me\r\nMAIL\r\n', 'SSH-2.0-x\r\n', '\x00\x01HTTP/1.1\r\n', '0032git-upload-pack /x\0host=y\0'],
];
/** A request that is fine, and then what is not. */
const FOREIGN: readonly (readonly [fine: string, foreign: string])[] = [
  ...['', get('good.test'), POST, CHUNKED].map((fine) => [fine, get('hidden.test')] as const),
  ['', get('good.test', 'Host: hidden.test\r\n')],
  ['', 'GET http://hidden.test/ HTTP/1.1\r\nHost: good.test\r\n\r\n'],
  ['', 'CONNECT hidden.test:80 HTTP/1.1\r\nHost: good.test\r\n\r\n'],
  ['', `\r\n${get('hidden.test')}`],
  ['', 'GET / HTTP/1.1\nHost: hidden.test\n\n'],
  ['', 'get / http/1.1\r\nHost: hidden.test\r\n\r\n'],
  ['', 'POST / HTTP/1.1\r\nHost: good.test\r\nTransfer-Encoding: chunked\r\n\r\n2;\nxx\r\n'],
  ['', `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`],
  ...['GET /é', 'GET /\x7f', 'GET /\x01'].map(
    (start) => ['', `${start} HTTP/1.1\r\nHost: hidden.test\r\n\r\n`] as const,
  ),
  ['', 'GET / HTTP/01.1\r\nHost: hidden.test\r\n\r\n'],
  ['', 'GET /\r\nHost: hidden.test\r\n\r\n'],
  ['', `GET /${'a'.repeat(17_000)} HTTP/1.1\r\nHost: hidden.test\r\n\r\n`],
  ['', get('good.test', 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n')],
  ['', get('good.test', 'Connection: Upgrade\r\nUpgrade: websocket, TLS/1.2\r\n')],
  [
    '',
    'POST / HTTP/1.0\r\nHost: good.test\r\nTransfer-Encoding: chunked\r\n\r\nad;/ HTTP/1.1\r\nHost: hidden.test\r\n\r\n',
  ],
  ['', 'POST / HTTP/1.1\r\nHost: good.test\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n'],
  [get('good.test', 'Connection: Upgrade\r\nUpgrade: x\r\n'), get('hidden.test')],
];

test('threat 76 blocked: a request in a tunnel is for its host, however its bytes are cut; other protocols pass', () => {
  const cuts = fc.array(fc.integer({ min: 1, max: 40 }));
  fc.assert(fc.property(fc.constantFrom(...FINE), cuts, (text, at) => refusedAfter(text, at) === undefined));
  for (const [fine, foreign] of FOREIGN) assert.notEqual(refusedAfter(fine + foreign), undefined, foreign.slice(0, 80));
  for (const text of FINE) assert.equal(refusedAfter(text), undefined, text.slice(0, 80));
  fc.assert(
    fc.property(fc.constantFrom(...FOREIGN), cuts, ([fine, foreign], at) => {
      const passed = refusedAfter(fine + foreign, at);
      assert.ok(passed !== undefined && passed < fine.length + foreign.length, `${passed} ${foreign}`);
    }),
  );
});

test('what follows an upgrade is judged unless the server agreed to it', () => {
  const upgrade = Buffer.from(get('good.test', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'));
  for (const [answer, mayPass] of [
    ['HTTP/1.1 101 Switching Protocols\r\n\r\n', true],
    ['HTTP/1.1 200 OK\r\n\r\n', false],
  ] as const) {
    const judge = createRequestJudge('good.test');
    assert.ok(judge.mayPass(upgrade) && judge.isHttp());
    judge.hear(Buffer.from(answer));
    assert.deepEqual([judge.mayPass(Buffer.from(get('hidden.test'))), judge.isHttp()], [mayPass, !mayPass]);
  }
});
