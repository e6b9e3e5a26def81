import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { sha256Short } from './sha256.ts';

test('short texts have the hash that node:crypto gives them, at every length around a block', () => {
  for (let length = 0; length <= 600; length++) {
    const bytes = randomBytes(length);
    assert.equal(sha256Short(bytes), hash('sha256', bytes, 'hex'), `${length} bytes`);
  }
  for (const text of ['', 'abc', '标记 ✅ \ud800', 'x'.repeat(10_000)])
    assert.equal(sha256Short(text), hash('sha256', text, 'hex'));
});
