import assert from 'node:assert/strict';
import test from 'node:test';
import { splitExclusions } from './exclusion.ts';

test('English exclusions end with their sentence', () => {
  const scope = splitExclusions('Makes slides. Do NOT use for PDFs, v1.2 files or spreadsheets. Fast and small.');
  assert.equal(scope.included.replace(/\s+/g, ' '), 'Makes slides. . Fast and small.');
  assert.match(scope.excluded, /PDFs, v1\.2 files or spreadsheets/);
});

test('several ways to say it are understood', () => {
  const ways = [
    "Don't use when offline",
    'Not for beginners',
    'not intended for production',
    'should not be used here',
  ];
  for (const way of ways) assert.equal(splitExclusions(`Good. ${way}.`).excluded, way, way);
});

test('Chinese exclusions are understood', () => {
  const scope = splitExclusions('生成报告。不适用于视频剪辑和配音；支持多种格式。');
  assert.equal(scope.excluded, '不适用于视频剪辑和配音');
  assert.match(scope.included, /支持多种格式/);
});

test('other uses of "not" stay in the text', () => {
  const text = 'Finds notes that do not match. Works for everyone, not only experts.';
  assert.deepEqual(splitExclusions(text), { included: text, excluded: '' });
});
