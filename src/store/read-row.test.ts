import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readList, toNeed } from './read-row.ts';

test('a list that is none stands as its only text, so that nobody has what it asks for', () => {
  assert.deepEqual(['["a"]', '[1]', '{"a":1}', 'nope', null].map(readList), [
    ['a'],
    ['[1]'],
    ['{"a":1}'],
    ['nope'],
    undefined,
  ]);
  assert.deepEqual(toNeed({ digest: null, labels: 'x', jobs: 1 }), { jobs: 1, labels: ['x'] });
});
