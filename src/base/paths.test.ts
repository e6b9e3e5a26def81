import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expandHome, isInside, realPath } from './paths.ts';

test('containment is by path segments, not by prefix', () => {
  assert.ok(isInside('/skills/a', '/skills/a/b/c'));
  assert.ok(isInside('/skills/a', '/skills/a'));
  assert.ok(isInside('/skills/a', '/skills/a/..b'));
  assert.ok(!isInside('/skills/a', '/skills/a-evil/x'));
  assert.ok(!isInside('/skills/a', '/skills/a/../b'));
  assert.ok(!isInside('/skills/a', '/'));
});

test('home is expanded at the start only', () => {
  assert.equal(expandHome('~/x', '/home/me'), '/home/me/x');
  assert.equal(expandHome('~', '/home/me'), '/home/me');
  assert.equal(expandHome('a/~/x', '/home/me'), 'a/~/x');
  assert.equal(expandHome('~other/x', '/home/me'), '~other/x');
});

test('a missing path has no real path', () => {
  assert.equal(realPath('/no/such/path'), undefined);
});
