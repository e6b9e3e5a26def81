import assert from 'node:assert/strict';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../../test/support/support.ts';
import { readDescriptor } from './open-text.ts';

function openWith(t: TestContext, content: Uint8Array): number {
  const file = path.join(temporaryFolder(t), 'file');
  writeFileSync(file, content);
  const descriptor = openSync(file, 'r');
  t.after(() => closeSync(descriptor));
  return descriptor;
}

test('a short file takes little memory, however much could be read', (t) => {
  const descriptor = openWith(t, Buffer.from('short'));
  const before = process.memoryUsage().arrayBuffers;
  for (let round = 0; round < 20; round++) readDescriptor(descriptor, { offset: 0, length: 1 << 20 }, 5);
  assert.ok(process.memoryUsage().arrayBuffers - before < 1 << 20);
});

test('the bytes are those of the file, also where it is not as large as it was said to be', (t) => {
  const all = Buffer.from(Array.from({ length: 600_000 }, (_, at) => at % 251));
  const descriptor = openWith(t, all);
  for (const size of [0, 1, 5_000, 599_999, 600_000, 5_000_000]) {
    for (const [offset, length] of [
      [0, 600_000],
      [0, 1_000_000],
      [0, 4_096],
      [4_096, 300_000],
      [599_999, 10],
      [700_000, 10],
      [10, 0],
    ] as const) {
      const read = readDescriptor(descriptor, { offset, length }, size);
      assert.ok(all.subarray(offset, offset + length).equals(read), `${offset} ${length} ${size}`);
    }
  }
});
