import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { count, temporaryFolder } from '../../../test/support/support.ts';
import { writeFileAtomic } from '../../base/files.ts';
import { deserializeRankIndex, serializeRankIndex } from './file.ts';
import { buildRankIndex } from './index.ts';
import { rank } from './rank.ts';
import { PLAIN_SETTINGS } from './settings.ts';

const index = buildRankIndex([
  { id: 'user:pdf@1', digest: 'a', name: 'pdf', description: 'Extract text from PDF files', headings: ['Tables'] },
  { id: 'user:合同@1', digest: 'b', name: '合同', description: '审查合同', examples: ['check my contract'] },
]);
const REQUESTS = ['pdf tables', '合同', 'extraction of texts', 'check the contract', 'nothing of this'];

test('an index read back from disk answers the same', (t) => {
  const file = path.join(temporaryFolder(t), 'rank.bin');
  writeFileAtomic(file, serializeRankIndex(index));
  const read = deserializeRankIndex(readFileSync(file));
  assert.ok(read);
  for (const request of REQUESTS) assert.deepEqual(rank(read, request), rank(index, request), request);
  assert.deepEqual(serializeRankIndex(read), serializeRankIndex(index));
});

test('an empty index can be written and read', () => {
  const read = deserializeRankIndex(serializeRankIndex(buildRankIndex([])));
  assert.equal(read?.size, 0);
});

test('a damaged file is refused, wherever the damage is', () => {
  const bytes = serializeRankIndex(index);
  const step = Math.max(1, Math.floor(bytes.length / count(2000, 200)));
  for (let at = 0; at < bytes.length; at += step) {
    const damaged = bytes.slice();
    damaged[at] = (damaged[at] ?? 0) ^ 0x41;
    assert.equal(deserializeRankIndex(damaged), undefined, `byte ${at}`);
  }
});

test('a shortened, lengthened or foreign file is refused', () => {
  const bytes = serializeRankIndex(index);
  for (const length of [0, 1, 11, 91, bytes.length - 4, bytes.length - 1]) {
    assert.equal(deserializeRankIndex(bytes.slice(0, length)), undefined, `${length} bytes`);
  }
  assert.equal(deserializeRankIndex(Buffer.concat([bytes, Buffer.alloc(8)])), undefined);
  assert.equal(deserializeRankIndex(Buffer.from('{"not":"an index"}'.repeat(20))), undefined);
});

test('an index made with other settings is refused', () => {
  assert.equal(deserializeRankIndex(serializeRankIndex(index), PLAIN_SETTINGS), undefined);
});

test('an index at an odd place in memory is read all the same', () => {
  const bytes = serializeRankIndex(index);
  const shifted = new Uint8Array(bytes.length + 1);
  shifted.set(bytes, 1);
  const read = deserializeRankIndex(shifted.subarray(1));
  assert.ok(read);
  assert.deepEqual(rank(read, 'pdf'), rank(index, 'pdf'));
});
