import assert from 'node:assert/strict';
import test from 'node:test';
import { Collector } from './collect.ts';

test('what was added comes back in order, whatever the size of the pieces', () => {
  const collector = new Collector(10_000_000);
  const pieces = [1, 5000, 0, 3, 70_000, 1_500_000, 1, 1].map((size, index) => Buffer.alloc(size, index + 65));
  for (const piece of pieces) assert.equal(collector.add(piece), true);
  assert.deepEqual(collector.take(), Buffer.concat(pieces));
  assert.equal(collector.take().length, 0);
});

test('exactly the limit fits; one byte more is cut and said', () => {
  const collector = new Collector(5);
  assert.equal(collector.add(Buffer.from('abc')), true);
  assert.equal(collector.add(Buffer.from('de')), true);
  assert.equal(collector.add(Buffer.from('')), true);
  assert.equal(collector.add(Buffer.from('f')), false);
  assert.equal(collector.take().toString(), 'abcde');
});
