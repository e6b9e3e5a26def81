import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ArchiveCheck, archiveWithout } from '../../../test/support/changed/weak-install.ts';
import { count } from '../../../test/support/support.ts';
import { buildZip, type Frame, type Lie } from '../../../test/support/zip-builder.ts';
import { Fault } from '../../base/errors.ts';
import { openArchive } from './archive.ts';

const readAll = (zip: Buffer, open = openArchive) =>
  open(zip).map((file) => ({ name: file.name, content: file.read() }));

interface Attack {
  row: number;
  says: string;
  entries: Lie[];
  frame?: Frame;
  fault: string;
  /** The check whose absence lets it through; two where a second one stands behind it. */
  check: ArchiveCheck | [ArchiveCheck, ArchiveCheck];
}

const ATTACKS: Attack[] = [
  {
    row: 1,
    says: 'a path that goes up',
    entries: [{ name: '../../.ssh/authorized_keys' }],
    fault: 'ARCHIVE_PATH',
    check: 'name',
  },
  {
    row: 1,
    says: 'a path that goes up in the middle',
    entries: [{ name: 'a/../../b' }],
    fault: 'ARCHIVE_PATH',
    check: 'name',
  },
  { row: 2, says: 'an absolute path', entries: [{ name: '/etc/cron.d/x' }], fault: 'ARCHIVE_PATH', check: 'name' },
  { row: 2, says: 'a server path', entries: [{ name: '//server/x' }], fault: 'ARCHIVE_PATH', check: 'name' },
  { row: 2, says: 'a drive', entries: [{ name: 'C:x' }], fault: 'ARCHIVE_PATH', check: 'name' },
  { row: 3, says: 'backslashes', entries: [{ name: '..\\..\\evil' }], fault: 'ARCHIVE_PATH', check: 'name' },
  {
    row: 5,
    says: 'a symbolic link',
    entries: [{ mode: 0o120777, content: '/etc/passwd' }],
    fault: 'ARCHIVE_LINK',
    check: 'type',
  },
  {
    row: 6,
    says: 'a linked folder and a file through it',
    entries: [{ name: 's/d', mode: 0o120777, content: '/tmp' }, { name: 's/d/evil' }],
    fault: 'ARCHIVE_LINK',
    check: ['type', 'collision'],
  },
  { row: 7, says: 'a fifo', entries: [{ mode: 0o010644 }], fault: 'ARCHIVE_LINK', check: 'type' },
  { row: 7, says: 'a device', entries: [{ mode: 0o020644 }], fault: 'ARCHIVE_LINK', check: 'type' },
  { row: 7, says: 'a set-user-id bit', entries: [{ mode: 0o104755 }], fault: 'ARCHIVE_LINK', check: 'type' },
  {
    row: 8,
    says: 'the same entry twice',
    entries: [{}, { content: 'other' }],
    fault: 'ARCHIVE_DUPLICATE',
    check: 'collision',
  },
  {
    row: 9,
    says: 'names that differ in case',
    entries: [{ name: 'a/SKILL.md' }, { name: 'a/skill.md' }],
    fault: 'ARCHIVE_COLLISION',
    check: 'collision',
  },
  {
    row: 9,
    says: 'names that differ in normal form',
    entries: [{ name: 'a/é' }, { name: 'a/e\u0301' }],
    fault: 'ARCHIVE_COLLISION',
    check: 'collision',
  },
  {
    row: 9,
    says: 'a file that is a folder too',
    entries: [{ name: 'a/b' }, { name: 'a/b/c' }],
    fault: 'ARCHIVE_COLLISION',
    check: 'collision',
  },
  {
    row: 9,
    says: 'names some systems fold into one',
    entries: [{ name: 'a/straße.md' }, { name: 'a/STRASSE.md' }],
    fault: 'ARCHIVE_COLLISION',
    check: 'collision',
  },
  {
    row: 9,
    says: 'one folder written in two ways',
    entries: [{ name: 'a/lib/x.py' }, { name: 'a/LIB/y.py' }],
    fault: 'ARCHIVE_COLLISION',
    check: 'collision',
  },
  {
    row: 9,
    says: 'one folder in two normal forms',
    entries: [{ name: 'a/é/x.py' }, { name: 'a/e\u0301/y.py' }],
    fault: 'ARCHIVE_COLLISION',
    check: 'collision',
  },
  {
    row: 9,
    says: 'a reserved name with a space',
    entries: [{ name: 'a/COM1 .txt' }],
    fault: 'ARCHIVE_COLLISION',
    check: 'name',
  },
  { row: 9, says: 'a trailing dot', entries: [{ name: 'a/SKILL.md.' }], fault: 'ARCHIVE_COLLISION', check: 'name' },
  { row: 9, says: 'a reserved name', entries: [{ name: 'a/CON' }], fault: 'ARCHIVE_COLLISION', check: 'name' },
  { row: 9, says: 'an alternate stream', entries: [{ name: 'a/b:c' }], fault: 'ARCHIVE_COLLISION', check: 'name' },
  {
    row: 24,
    says: 'a bidirectional character in a name',
    entries: [{ name: 'a/\u202egnp.exe.txt' }],
    fault: 'ARCHIVE_PATH',
    check: 'name',
  },
  {
    row: 24,
    says: 'an escape code in a name',
    entries: [{ name: 'a/\u001b[2J' }],
    fault: 'ARCHIVE_PATH',
    check: 'name',
  },
  {
    row: 10,
    says: 'another name in the local header',
    entries: [{ localName: 'skill/OTHER.md' }],
    fault: 'ARCHIVE_MISMATCH',
    check: 'mismatch',
  },
  {
    row: 10,
    says: 'other flags in the local header',
    entries: [{ localFlags: 0 }],
    fault: 'ARCHIVE_MISMATCH',
    check: 'mismatch',
  },
  {
    row: 11,
    says: 'two entries on the same bytes',
    entries: [{ name: 'a' }, { name: 'a', offset: 0 }],
    fault: 'ARCHIVE_DUPLICATE',
    check: ['collision', 'overlap'],
  },
  {
    row: 12,
    says: 'a bomb of zeros',
    entries: [{ content: Buffer.alloc(9 << 20) }],
    fault: 'ARCHIVE_LIMIT',
    check: 'limit',
  },
  {
    row: 12,
    says: 'a file over the limit',
    entries: [{ content: Buffer.alloc(11 << 20), method: 0 }],
    fault: 'ARCHIVE_LIMIT',
    check: 'limit',
  },
  {
    row: 12,
    says: 'too many entries',
    entries: Array.from({ length: 2001 }, (_, i) => ({ name: `a/${i}` })),
    fault: 'ARCHIVE_LIMIT',
    check: 'limit',
  },
  {
    row: 12,
    says: 'too deep a folder',
    entries: [{ name: `${'a/'.repeat(16)}x` }],
    fault: 'ARCHIVE_LIMIT',
    check: 'name',
  },
  { row: 12, says: 'a long name', entries: [{ name: 'a'.repeat(256) }], fault: 'ARCHIVE_LIMIT', check: 'name' },
  { row: 13, says: 'a size that is too small', entries: [{ size: 2 }], fault: 'ARCHIVE_MISMATCH', check: 'content' },
  { row: 13, says: 'a size that is too large', entries: [{ size: 9 }], fault: 'ARCHIVE_MISMATCH', check: 'content' },
  {
    row: 13,
    says: 'bytes hidden behind the compressed data',
    entries: [{ padding: Buffer.from('hidden') }],
    fault: 'ARCHIVE_MISMATCH',
    check: 'content',
  },
  { row: 13, says: 'a wrong checksum', entries: [{ crc: 1 }], fault: 'ARCHIVE_MISMATCH', check: 'content' },
  { row: 14, says: 'an encrypted entry', entries: [{ flags: 0x0801 }], fault: 'ARCHIVE_FORMAT', check: 'exotic' },
  { row: 14, says: 'an unknown method', entries: [{ method: 12 }], fault: 'ARCHIVE_FORMAT', check: 'exotic' },
  {
    row: 14,
    says: 'a ZIP64 field',
    entries: [{ extra: Buffer.from('01000400aaaaaaaa', 'hex') }],
    fault: 'ARCHIVE_FORMAT',
    check: 'exotic',
  },
  {
    row: 14,
    says: 'another name in an extra field',
    entries: [{ extra: Buffer.from('757001000a', 'hex') }],
    fault: 'ARCHIVE_FORMAT',
    check: 'exotic',
  },
  {
    row: 10,
    says: 'a descriptor with other sizes',
    entries: [{ descriptor: 'lying' }],
    fault: 'ARCHIVE_MISMATCH',
    check: 'mismatch',
  },
  { row: 14, says: 'an entry for later readers', entries: [{ needs: 200 }], fault: 'ARCHIVE_FORMAT', check: 'exotic' },
  { row: 14, says: 'several disks', entries: [{}], frame: { disk: 1 }, fault: 'ARCHIVE_FORMAT', check: 'frame' },
  {
    row: 14,
    says: 'data in front',
    entries: [{}],
    frame: { prefix: Buffer.from('#!/bin/sh\n') },
    fault: 'ARCHIVE_FORMAT',
    check: 'overlap',
  },
  {
    row: 14,
    says: 'data behind',
    entries: [{}],
    frame: { suffix: Buffer.from('more') },
    fault: 'ARCHIVE_FORMAT',
    check: 'frame',
  },
  {
    row: 14,
    says: 'data in between',
    entries: [{}],
    frame: { between: Buffer.from('more') },
    fault: 'ARCHIVE_FORMAT',
    check: 'frame',
  },
  { row: 14, says: 'a comment', entries: [{}], frame: { comment: 'PK' }, fault: 'ARCHIVE_FORMAT', check: 'frame' },
  {
    row: 14,
    says: 'a wrong count',
    entries: [{}, { name: 'b' }],
    frame: { count: 1 },
    fault: 'ARCHIVE_FORMAT',
    check: ['frame', 'overlap'],
  },
  {
    row: 14,
    says: 'a name in an unknown encoding',
    entries: [{ name: Buffer.from([0x61, 0xff]), flags: 0 }],
    fault: 'ARCHIVE_FORMAT',
    check: 'exotic',
  },
  {
    row: 16,
    says: 'compiled Python',
    entries: [{ name: 'a/__pycache__/x.pyc' }],
    fault: 'ARCHIVE_FORMAT',
    check: 'compiled',
  },
];

for (const { row, says, entries, frame, fault, check } of ATTACKS) {
  test(`threat ${row} blocked: ${says} in an archive`, () => {
    assert.throws(
      () => readAll(buildZip(entries, frame)),
      (error) => error instanceof Fault && error.type === fault,
    );
  });
  test(`threat ${row} control: ${says} passes without the check: ${check}`, async () => {
    const open = await archiveWithout(...[check].flat());
    const files = open(buildZip(entries, frame));
    assert.ok(files.length > 0);
    // A method nobody knows can be listed, not unpacked.
    if (check !== 'exotic') for (const file of files) file.read();
  });
}

test('threat 11 blocked: entries that overlap without the same name', async () => {
  const inner = buildZip([{ name: 'bb', method: 0, content: 'x' }]);
  const zip = buildZip([
    { name: 'aa', method: 0, content: inner.subarray(0, 33) },
    { name: 'bb', method: 0, content: 'x', offset: 32 },
  ]);
  assert.throws(
    () => readAll(zip),
    (error) => error instanceof Fault && error.type === 'ARCHIVE_OVERLAP',
  );
  assert.equal(readAll(zip, await archiveWithout('overlap')).length, 2);
});

test('an honest archive reads back, with the executable bit', () => {
  const files = openArchive(
    buildZip([
      { name: 'a/', mode: 0o040755, content: '', method: 0 },
      { name: 'a/SKILL.md', content: '技能' },
      { name: 'a/run.sh', mode: 0o100755 },
    ]),
  );
  assert.deepEqual(
    files.map(({ name, executable }) => [name, executable]),
    [
      ['a/SKILL.md', false],
      ['a/run.sh', true],
    ],
  );
  assert.equal(files[0]?.read().toString(), '技能');
});

test('threat 14 blocked: mutated archives end in a typed fault or in honest content, never in a crash', () => {
  const honest = buildZip([
    { name: 'a/SKILL.md', content: 'x'.repeat(300) },
    { name: 'a/b.txt', content: 'y', method: 0 },
  ]);
  const change = fc.record({ at: fc.nat(honest.length - 1), to: fc.nat(255) });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), fc.option(fc.nat(honest.length)), (changes, cut) => {
      const zip = Buffer.from(honest);
      for (const { at, to } of changes) zip[at] = to;
      try {
        readAll(cut === null ? zip : zip.subarray(0, cut));
      } catch (error) {
        assert.ok(error instanceof Fault && error.type.startsWith('ARCHIVE_'), String(error));
      }
    }),
    { numRuns: count(10_000, 1_000) },
  );
});
