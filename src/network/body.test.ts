import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bodyOfLength, chunkedBody } from './body.ts';

const NEXT = 'GET / HTTP/1.1\r\nHost: evil.test\r\n\r\n';

test('a body ends where it says, however its bytes are cut', () => {
  const bodies = ['0\r\n\r\n', '4\r\nabcd\r\n0\r\n\r\n', 'A;x=y\r\n0123456789\r\n1\r\n\n\r\n0\r\nTrailer: z\r\n\r\n'];
  const { length } = bodies;
  fc.assert(
    fc.property(fc.nat(length - 1), fc.array(fc.integer({ min: 1, max: 9 })), (index, cuts) => {
      const body = bodies[index] ?? '';
      const sent = Buffer.from(body + NEXT);
      for (const bound of [chunkedBody(), bodyOfLength(body.length)]) {
        const passed: Buffer[] = [];
        let at = 0;
        for (const cut of [...cuts, sent.length]) {
          const part = sent.subarray(at, at + cut);
          passed.push(part.subarray(0, Number(bound(part))));
          at += part.length;
        }
        assert.equal(Buffer.concat(passed).toString(), body);
      }
    }),
  );
});

test('what is no chunk breaks the body, and half a line end is none', () => {
  const lines = ['zz\r\n', '-1\r\n', ' 4\r\n', '0x4\r\n', `${'1'.repeat(13)}\r\n`, '2\n', '2;\nxx\r\n', '2\rx\r\n'];
  const ends = ['2\r\nabcd', '2\r\nab\n0\r\n', '0\r\n\n', '0\r\nA: b\n\r\n'];
  for (const odd of [...lines, ...ends]) {
    const bound = chunkedBody();
    assert.equal(bound(Buffer.from(odd + NEXT)), 'broken', odd);
    assert.equal(bound(Buffer.from(NEXT)), 'broken');
    const slow = chunkedBody();
    assert.ok(
      [...Buffer.from(odd)].some((byte) => slow(Buffer.from([byte])) === 'broken'),
      odd,
    );
  }
  assert.equal(chunkedBody()(Buffer.alloc(100_000, 'a')), 'broken');
});
