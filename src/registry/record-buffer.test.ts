import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RecordBuffer } from './record-buffer.ts';

const start = Buffer.from('header');

function add(buffer: RecordBuffer, key: string, value: string): number {
  return buffer.add({ bytes: Buffer.from(key), keyLength: Buffer.byteLength(key), mark: 0, value, witness: undefined });
}

test('every record is found where it was put, whatever its bytes', () => {
  const stats = fc.record({ dev: fc.nat(), ino: fc.nat(), size: fc.nat(), mtimeMs: fc.nat(), ctimeMs: fc.nat() });
  const record = fc.record({
    key: fc.uint8Array(),
    mark: fc.nat(255),
    value: fc.string({ unit: 'grapheme' }),
    witness: fc.option(stats, { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(record), (records) => {
      const buffer = new RecordBuffer(start);
      const places = records.map(({ key, mark, value, witness }) => {
        // Behind the key there may be other bytes.
        return buffer.add({
          bytes: Buffer.concat([key, Buffer.from('more')]),
          keyLength: key.length,
          mark,
          value,
          witness,
        });
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
  const at = add(buffer, 'abc', 'value');
  assert.ok(!buffer.hasKey(at, Buffer.from('abd'), 3));
  assert.ok(!buffer.hasKey(at, Buffer.from('abcd'), 4));
  assert.ok(!buffer.hasKey(buffer.length, Buffer.from('abc'), 3));
});

test('records keep their place when the memory grows, and the bytes it began with stay as they were', () => {
  const origin = Buffer.from('header');
  const buffer = new RecordBuffer(origin.subarray(0, 4));
  const first = add(buffer, 'a', 'first');
  for (let at = 0; at < 20; at++) add(buffer, 'x'.repeat(1 << 20), '');
  assert.equal(buffer.valueAt(first), 'first');
  assert.equal(origin.toString(), 'header');
});

test('a witness is the one that was kept only if every part of it is, and none is kept where there was none', () => {
  const witness = { dev: 1, ino: 2 ** 40, size: 3, mtimeMs: 1763500000000.25, ctimeMs: 1763500000000.5 };
  const buffer = new RecordBuffer(start);
  const without = add(buffer, 'a', 'value');
  const at = add(buffer, 'b', 'value');
  buffer.setWitness(at, witness);
  assert.ok(buffer.hasWitness(at, witness));
  assert.ok(buffer.hasWitness(without, undefined));
  assert.ok(!buffer.hasWitness(without, witness));
  assert.ok(!buffer.hasWitness(at, undefined));
  for (const field of ['dev', 'ino', 'size', 'mtimeMs', 'ctimeMs'] as const) {
    assert.ok(!buffer.hasWitness(at, { ...witness, [field]: witness[field] + 0.25 }), field);
  }
});

test('a record has the name behind the last zero of its key and no other', () => {
  const buffer = new RecordBuffer(start);
  for (const name of ['abc', 'org/abc', '中文', 'a中', '']) {
    const at = add(buffer, `text\0${name}`, 'value');
    const others = ['bc', 'xabc', 'abd', 'abc/', 'text', 'org', '中', '中文字', 'a文', 'a'];
    for (const other of others) assert.ok(!buffer.isNamed(at, other), `${other} for ${name}`);
    assert.ok(buffer.isNamed(at, name), name);
  }
  assert.ok(!buffer.isNamed(add(buffer, 'abc', 'value'), 'abc'));
  assert.ok(!buffer.isNamed(buffer.length, 'abc'));
});
