import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digestName, digestNamed, isDigest, makeDigest, requireDigest } from './digest.ts';

test('a digest is its algorithm and 64 hex digits, and nothing else is one', () => {
  const digest = makeDigest('x');
  assert.match(digest, /^sha256:[0-9a-f]{64}$/);
  const hex = digestName(digest);
  assert.deepEqual([isDigest(digest), requireDigest(String(digest)), digestNamed(hex)], [true, digest, digest]);
  for (const odd of [
    '',
    hex,
    'sha256:',
    `sha256:${hex}0`,
    `sha256:../${hex}`,
    `SHA256:${hex}`,
    digest.toUpperCase(),
    `${digest}\n`,
  ]) {
    assert.equal(isDigest(odd), false, odd);
    assert.throws(() => requireDigest(odd), /no digest/, odd);
  }
  for (const odd of [undefined, null, 1, [digest]]) assert.equal(isDigest(odd), false);
});
