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

test('a large output is written into one place, however often it grows', () => {
  const collector = new Collector(10_000_000);
  const piece = Buffer.alloc(64 * 1024, 'x');
  for (let added = 0; added < 8; added++) collector.add(piece);
  const { buffer } = collector.take();
  assert.equal(buffer.byteLength, 10_000_000, 'all the room it may need');
  collector.add(Buffer.from('few'));
  assert.ok(collector.take().buffer.byteLength < 10_000, 'a small output takes little');
});

test('exactly the limit fits; one byte more is cut and said', () => {
  const collector = new Collector(5);
  assert.equal(collector.add(Buffer.from('abc')), true);
  assert.equal(collector.add(Buffer.from('de')), true);
  assert.equal(collector.add(Buffer.from('')), true);
  assert.equal(collector.add(Buffer.from('f')), false);
  assert.equal(collector.take().toString(), 'abcde');
});
