import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RecordBuffer } from './record-buffer.ts';

const start = Buffer.from('header');

test('every record is found where it was put, whatever its bytes', () => {
  const record = fc.record({ key: fc.uint8Array(), mark: fc.nat(255), value: fc.string({ unit: 'grapheme' }) });
  fc.assert(
    fc.property(fc.array(record), (records) => {
      const buffer = new RecordBuffer(start);
      const places = records.map(({ key, mark, value }) => {
        // Behind the key there may be other bytes.
        return buffer.add(Buffer.concat([key, Buffer.from('more')]), key.length, mark, value);
      });
      const copy = new RecordBuffer(start);
      for (const [at, { key, mark, value }] of records.entries()) {
        const place = places[at] ?? Number.NaN;
        assert.ok(buffer.hasKey(place, Buffer.from(key), key.length));
        assert.deepEqual(buffer.keyAt(place), Buffer.from(key));
        assert.equal(buffer.markAt(place), mark);
        assert.equal(buffer.valueAt(place), value);
        assert.equal(buffer.endOf(place), places[at + 1] ?? buffer.length);
        assert.equal(copy.addCopy(buffer.slice(place, buffer.endOf(place))), place);
      }
      assert.deepEqual(copy.slice(0), buffer.slice(0));
    }),
  );
});

test('another key, a longer one and the end of the records are not the key', () => {
  const buffer = new RecordBuffer(start);
  const at = buffer.add(Buffer.from('abc'), 3, 0, 'value');
  assert.ok(!buffer.hasKey(at, Buffer.from('abd'), 3));
  assert.ok(!buffer.hasKey(at, Buffer.from('abcd'), 4));
  assert.ok(!buffer.hasKey(buffer.length, Buffer.from('abc'), 3));
});

test('records keep their place when the memory grows, and the bytes it began with stay as they were', () => {
  const origin = Buffer.from('header');
  const buffer = new RecordBuffer(origin.subarray(0, 4));
  const first = buffer.add(Buffer.from('a'), 1, 0, 'first');
  for (let at = 0; at < 20; at++) buffer.add(Buffer.alloc(1 << 20), 1 << 20, 0, '');
  assert.equal(buffer.valueAt(first), 'first');
  assert.equal(origin.toString(), 'header');
});
