// Mutated packs on their way into a project: a typed fault or honest skills, and never a byte elsewhere.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { Fault } from '../../src/base/errors.ts';
import { removeTree } from '../../src/base/files.ts';
import { packSkills } from '../../src/distribution/publish/pack.ts';
import { openArchiveBytes } from '../../src/distribution/source/archive.ts';
import { install, makeGround, treeOf, writeSkill } from '../support/install-support.ts';
import { count } from '../support/support.ts';

const MEMORY_LIMIT = 150 * 1024 * 1024;

test('threat 14 blocked: mutated packs write nothing outside of the root and leave no staging', (t) => {
  const ground = makeGround(t);
  const source = path.join(ground.folder, 'source');
  const folders = ['alpha', 'beta'].map((name) => writeSkill(source, { name, files: { 'a/b.txt': name.repeat(50) } }));
  const honest = packSkills(folders, { blockAngleBrackets: true }).bytes;
  const before = treeOf(ground.folder);
  const startedWith = process.memoryUsage().rss;
  const change = fc.record({ at: fc.nat(honest.length - 1), to: fc.nat(255) });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 5 }), fc.option(fc.nat(honest.length)), (changes, cut) => {
      const zip = Buffer.from(honest);
      for (const { at, to } of changes) zip[at] = to;
      try {
        const offer = openArchiveBytes(
          cut === null ? zip : zip.subarray(0, cut),
          { kind: 'archive', location: '/x' },
          { names: [] },
        );
        install(ground, [offer]);
      } catch (error) {
        assert.ok(error instanceof Fault && error.type !== 'Internal', String(error));
      }
      for (const made of [ground.place.root, ground.place.lockFile, path.join(ground.home, '.agent')]) removeTree(made);
      assert.equal(treeOf(ground.folder), before);
    }),
    { numRuns: count(10_000, 300) },
  );
  const grown = process.memoryUsage().rss - startedWith;
  const peak = process.resourceUsage().maxRSS / 1024;
  t.diagnostic(
    `memory grew by ${Math.round(grown / 1024 / 1024)} MB; at its peak the process had ${Math.round(peak)} MB`,
  );
  assert.ok(grown < MEMORY_LIMIT, `${grown} bytes`);
});
