import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { count } from '../../../test/support/support.ts';
import { buildZip, type Lie } from '../../../test/support/zip-builder.ts';
import { describeFile, hasPython, type Reading, readWithYauzl, startPython } from '../../../test/support/zip-oracle.ts';
import { Fault } from '../../base/errors.ts';
import { openArchive } from './archive.ts';

/** Why we refuse what both others read; a refusal of another kind is a mistake of ours. */
const STRICTER: Readonly<Record<string, string>> = {
  ARCHIVE_FORMAT: 'they take comments, gaps, several parts, odd flags and extra fields as they come',
  ARCHIVE_MISMATCH: 'they believe the list and do not compare it with the local headers and descriptors',
  ARCHIVE_OVERLAP: 'they do not mind bytes that belong to two entries',
  ARCHIVE_PATH: 'one of them, or both, lists names that lead out of the folder or hide characters',
  ARCHIVE_COLLISION: 'they do not think of file systems that take two names for one',
  ARCHIVE_DUPLICATE: 'they list one name twice',
  ARCHIVE_LINK: 'they leave the kind of an entry to whoever unpacks it',
  ARCHIVE_LIMIT: 'they have no limits',
};

function readWithOurs(zip: Buffer): Reading & { readonly code?: string } {
  try {
    return { files: openArchive(zip).map((file) => describeFile(file.name, file.read())) };
  } catch (error) {
    if (error instanceof Fault) return { error: error.message, code: error.type };
    throw error;
  }
}

const part = fc.string({ unit: fc.constantFrom(...'abcXY09_-é技e\u0301'), minLength: 1, maxLength: 4 });
const extra = fc.constantFrom('', '5554050003000000ff', '7578040001000000', '0a00040000000000').map((hex) => {
  return Buffer.from(hex, 'hex');
});

/** What honest tools write, in every mixture; not all of it is allowed here. */
const entry: fc.Arbitrary<Lie> = fc
  .record({
    name: fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/')),
    content: fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.nat(400).map((times) => 'text '.repeat(times)),
    ),
    method: fc.constantFrom(0, 8),
    mode: fc.constantFrom(0o100644, 0o100755, 0o100600, 0),
    madeBy: fc.constantFrom(0, 3, 3, 3),
    needs: fc.constantFrom(10, 20, 20, 20, 45, 63, 64),
    comment: fc.constantFrom('', '', 'note'),
    extra,
    localExtra: extra,
    descriptor: fc.option(fc.constantFrom('signed', 'unsigned'), { nil: undefined }),
  })
  .map(({ descriptor, ...rest }): Lie => ({ ...rest, ...(descriptor && { descriptor }) }));

const folder = part.map((name): Lie => ({ name: `${name}/`, content: '', method: 0, mode: 0o040755 }));

interface Mutation {
  readonly at: number;
  readonly to: number;
  readonly kind: 'set' | 'insert' | 'remove';
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(4000),
  to: fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 0xff, 0x50, 0x4b)),
  kind: fc.constantFrom('set', 'set', 'set', 'set', 'insert', 'remove'),
});

function mutate(zip: Buffer, mutations: readonly Mutation[]): Buffer {
  return mutations.reduce((bytes, { at, to, kind }) => {
    const place = at % bytes.length;
    const rest = bytes.subarray(kind === 'insert' ? place : place + 1);
    return Buffer.concat([bytes.subarray(0, place), kind === 'remove' ? Buffer.alloc(0) : Buffer.from([to]), rest]);
  }, zip);
}

const archive = fc
  .tuple(
    fc.array(fc.oneof({ weight: 5, arbitrary: entry }, { weight: 1, arbitrary: folder }), {
      minLength: 1,
      maxLength: 4,
    }),
    fc.oneof(fc.constant([]), fc.array(mutation, { minLength: 1, maxLength: 3 })),
  )
  .map(([entries, mutations]) => mutate(buildZip(entries), mutations));

test('what we read, yauzl and Python read alike: names, sizes and bytes', { skip: !hasPython }, async (t) => {
  const readWithPython = startPython(t);
  const stricter = new Map<string, number>();
  const totals = { read: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(archive, async (zip) => {
      const [yauzl, python] = [await readWithYauzl(zip), await readWithPython(zip)];
      const ours = readWithOurs(zip);
      if ('files' in ours) {
        totals.read++;
        assert.deepEqual(yauzl, ours, 'yauzl');
        assert.deepEqual(python, ours, 'Python');
        return;
      }
      totals.refused++;
      const code = ours.code ?? '';
      assert.ok(code in STRICTER, ours.error);
      if ('files' in yauzl && 'files' in python) stricter.set(code, (stricter.get(code) ?? 0) + 1);
    }),
    { numRuns: count(10_000, 500) },
  );
  t.diagnostic(`read alike by all three: ${totals.read}; refused: ${totals.refused}`);
  for (const [code, times] of [...stricter].sort())
    t.diagnostic(`${code} where both read, ${times}: ${STRICTER[code]}`);
  assert.ok(totals.read > count(1000, 50), 'enough of them are read at all');
});
