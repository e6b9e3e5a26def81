import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { unifiedDiff } from './diff.ts';

test('a changed line is shown with its surroundings', () => {
  const before = 'a\nb\nc\nd\ne\nf\ng\nh\n';
  assert.equal(
    unifiedDiff(before, before.replace('e', 'E'), 'x.txt'),
    ['--- x.txt', '+++ x.txt', '@@ -2,7 +2,7 @@', ' b', ' c', ' d', '-e', '+E', ' f', ' g', ' h'].join('\n'),
  );
});

test('equal texts have no diff', () => {
  assert.equal(unifiedDiff('a\nb', 'a\nb', 'x'), '');
});

test('an added line at the end has no empty line behind it, and a missing line break is named', () => {
  const shown = (before: string, after: string) => unifiedDiff(before, after, 'x').split('\n').slice(2);
  assert.deepEqual(shown('a\n', 'a\nb\n'), ['@@ -1,1 +1,2 @@', ' a', '+b']);
  assert.deepEqual(shown('', 'a\n'), ['@@ -0,0 +1,1 @@', '+a']);
  assert.deepEqual(shown('a', 'a\n'), ['@@ -1,1 +1,1 @@', '-a', '\\ No newline at end of file', '+a']);
});

test('the kept and added lines of a diff rebuild the new text', () => {
  // Of four lines at most three are kept beside a change, and three lines of context are shown.
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 });
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const text = (all: readonly string[]) => all.map((line) => `${line}\n`).join('');
      const diff = unifiedDiff(text(before), text(after), 'x');
      if (diff === '') return assert.deepEqual(before, after);
      const shown = diff.split('\n').slice(3);
      assert.deepEqual(
        shown.filter((line) => !line.startsWith('-')).map((line) => line.slice(1)),
        after,
      );
      assert.deepEqual(
        shown.filter((line) => !line.startsWith('+')).map((line) => line.slice(1)),
        before,
      );
    }),
  );
});
