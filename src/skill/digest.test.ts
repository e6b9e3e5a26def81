import assert from 'node:assert/strict';
import { chmodSync, linkSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../test/support/support.ts';
import { Fault } from '../base/errors.ts';
import { sha256 } from '../base/ids.ts';
import { digestFiles, digestSkill } from './digest.ts';

function skill(t: TestContext): string {
  const folder = temporaryFolder(t);
  mkdirSync(path.join(folder, 'scripts'));
  writeFileSync(path.join(folder, 'SKILL.md'), '---\nname: a\ndescription: b\n---\n');
  writeFileSync(path.join(folder, 'scripts', 'run.sh'), 'echo hi\n', { mode: 0o644 });
  writeFileSync(path.join(folder, '.hidden'), '');
  return folder;
}

function isFault(type: string) {
  return (error: unknown) => error instanceof Fault && error.type === type;
}

test('the digest is the same for the same files, wherever they stand', (t) => {
  const [one, two] = [digestSkill(skill(t)), digestSkill(skill(t))];
  assert.deepEqual(one, two);
  assert.match(one.digest, /^sha256:[0-9a-f]{64}$/);
  assert.deepEqual(
    one.files.map((file) => [file.path, file.size, file.mode]),
    [
      ['.hidden', 0, 'file'],
      ['SKILL.md', 31, 'file'],
      ['scripts/run.sh', 8, 'file'],
    ],
  );
  assert.equal(one.files.at(-1)?.sha256, sha256('echo hi\n'));
});

const CHANGES: [name: string, change: (folder: string) => void][] = [
  ['a byte', (folder) => writeFileSync(path.join(folder, 'scripts/run.sh'), 'echo ho\n')],
  ['the executable bit', (folder) => chmodSync(path.join(folder, 'scripts/run.sh'), 0o755)],
  ['a name', (folder) => renameSync(path.join(folder, 'scripts/run.sh'), path.join(folder, 'scripts/run'))],
  ['a new file', (folder) => writeFileSync(path.join(folder, 'scripts/.more'), '')],
  ['a link', (folder) => symlinkSync('run.sh', path.join(folder, 'scripts/link'))],
];

for (const [name, change] of CHANGES) {
  test(`another digest after a change: ${name}`, (t) => {
    const folder = skill(t);
    const before = digestSkill(folder).digest;
    change(folder);
    assert.notEqual(digestSkill(folder).digest, before);
  });
}

test('no list of files reads like another one', () => {
  const file = { size: 1, mode: 'file', sha256: sha256('x') } as const;
  const two = digestFiles([
    { ...file, path: 'a' },
    { ...file, path: 'b' },
  ]);
  const one = digestFiles([{ ...file, path: `afile 1 ${file.sha256}\n1:b` }]);
  assert.notEqual(two, one);
});

test('paths are ordered by their bytes', (t) => {
  const folder = skill(t);
  for (const name of ['é', 'z', '\u{1f600}', '\uff5e']) writeFileSync(path.join(folder, name), '');
  const names = digestSkill(folder).files.map((file) => file.path);
  assert.deepEqual(names.slice(-4), ['z', 'é', '\uff5e', '\u{1f600}']);
});

test('a link that leads out of the folder, or nowhere, is refused', (t) => {
  for (const target of ['/etc/passwd', '../elsewhere', 'nothing', '/']) {
    const folder = skill(t);
    symlinkSync(target, path.join(folder, 'link'));
    assert.throws(() => digestSkill(folder), isFault('PathBlocked'), target);
  }
});

test('a link inside counts as what it says, not as what it leads to', (t) => {
  const folder = skill(t);
  symlinkSync('scripts', path.join(folder, 'bin'));
  const link = digestSkill(folder).files.find((file) => file.path === 'bin');
  assert.deepEqual(link, { path: 'bin', size: 7, mode: 'link', sha256: sha256('scripts') });
});

test('a second name of the same file is hashed as a file', (t) => {
  const folder = skill(t);
  linkSync(path.join(folder, 'SKILL.md'), path.join(folder, 'copy.md'));
  assert.equal(digestSkill(folder).files.length, 4);
});

test('too many files, too many bytes and a missing folder are typed', (t) => {
  const folder = skill(t);
  assert.throws(() => digestSkill(folder, { files: 2, bytes: 1000 }), isFault('LIMIT_DISK'));
  assert.throws(() => digestSkill(folder, { files: 10, bytes: 38 }), isFault('LIMIT_DISK'));
  assert.equal(digestSkill(folder, { files: 3, bytes: 39 }).files.length, 3);
  assert.throws(() => digestSkill(path.join(folder, 'none')), isFault('MetadataMissing'));
});
