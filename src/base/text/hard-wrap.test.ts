import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { displayWidth } from '../text.ts';
import { wrapHard } from './hard-wrap.ts';

test('no part is wider than the screen, and nothing but spaces is lost', () => {
  const line = fc.array(fc.constantFrom('a', ' ', '    ', '文', 'word ', '/very/long/path/', '🙂', '  x'), {
    maxLength: 80,
  });
  fc.assert(
    fc.property(line, fc.integer({ min: 20, max: 100 }), (pieces, width) => {
      const text = pieces.join('');
      const parts = wrapHard(text, width);
      for (const part of parts) assert.ok(displayWidth(part) <= width, JSON.stringify([part, width]));
      assert.equal(parts.join('').replaceAll(' ', ''), text.replaceAll(' ', ''));
    }),
  );
});

test('broken at spaces, what follows is indented alike, and short lines stay as they are', () => {
  assert.deepEqual(wrapHard('  short', 60), ['  short']);
  assert.deepEqual(wrapHard(`  ${'one two '.repeat(4).trimEnd()}`, 24), ['  one two one two one', '  two one two']);
  assert.deepEqual(wrapHard('x'.repeat(50), Number.POSITIVE_INFINITY), ['x'.repeat(50)]);
});
