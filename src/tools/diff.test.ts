import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { unifiedDiff } from './diff.ts';

test('a changed line is shown with its surroundings', () => {
  const before = 'a\nb\nc\nd\ne\nf\ng\nh';
  assert.equal(
    unifiedDiff(before, before.replace('e', 'E'), 'x.txt'),
    ['--- x.txt', '+++ x.txt', '@@ -2,7 +2,7 @@', ' b', ' c', ' d', '-e', '+E', ' f', ' g', ' h'].join('\n'),
  );
});

test('equal texts have no diff', () => {
  assert.equal(unifiedDiff('a\nb', 'a\nb', 'x'), '');
});

test('the kept and added lines of a diff rebuild the new text', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 5 });
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const diff = unifiedDiff(before.join('\n'), after.join('\n'), 'x');
      if (diff === '') return assert.equal(before.join('\n'), after.join('\n'));
      const shown = diff.split('\n').slice(3);
      assert.deepEqual(
        shown.filter((line) => !line.startsWith('-')).map((line) => line.slice(1)),
        after.length > 0 ? after : [''],
      );
      assert.deepEqual(
        shown.filter((line) => !line.startsWith('+')).map((line) => line.slice(1)),
        before.length > 0 ? before : [''],
      );
    }),
  );
});
