import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { count } from '../../../test/support/support.ts';
import { serializeRankIndex } from './file.ts';
import { buildRankIndex, knownDigests, updateRankIndex } from './index.ts';
import type { RankDocument } from './stream.ts';

const WORDS = [
  'pdf',
  'deploys',
  'webService',
  '数据分析',
  '報告',
  'not for kids',
  'C++',
  'Do not use for tests.',
  'naïve',
  '',
];
const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 8 }).map((words) => words.join(' '));
const content = fc.record({
  name: text,
  description: text,
  headings: fc.array(text, { maxLength: 2 }),
  bodyStart: text,
});

function withDigest(id: string, fields: Omit<RankDocument, 'id' | 'digest'>): RankDocument {
  return { id, digest: JSON.stringify(fields), ...fields };
}

test('an update gives, byte for byte, the index of a full build', () => {
  fc.assert(
    fc.property(fc.array(content, { maxLength: 6 }), fc.array(content, { maxLength: 6 }), (before, after) => {
      const earlier = buildRankIndex(before.map((fields, at) => withDigest(`a${at}`, fields)));
      const kept = before.slice(0, 3).map((fields, at) => withDigest(`kept${at}`, fields));
      const documents = [...after.map((fields, at) => withDigest(`b${at}`, fields)), ...kept];
      const updated = serializeRankIndex(updateRankIndex(earlier, documents));
      assert.deepEqual(updated, serializeRankIndex(buildRankIndex(documents)));
    }),
    { numRuns: count(500, 60) },
  );
});

test('a document with a known digest is not read again', () => {
  const original = { id: 'a', digest: 'd1', name: 'tool', description: 'convert videos' };
  const earlier = buildRankIndex([original]);
  assert.deepEqual([...knownDigests(earlier).keys()], ['d1']);
  const updated = updateRankIndex(earlier, [{ ...original, description: '' }]);
  assert.deepEqual(serializeRankIndex(updated), serializeRankIndex(earlier));
});

test('a document without digest is read each time', () => {
  const original = { id: 'a', digest: '', name: 'tool', description: 'convert videos' };
  const updated = updateRankIndex(buildRankIndex([original]), [{ ...original, description: '' }]);
  assert.deepEqual(serializeRankIndex(updated), serializeRankIndex(buildRankIndex([{ ...original, description: '' }])));
});
