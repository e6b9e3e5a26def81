import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/support/support.ts';
import { writeFileAtomic, writeNewFile } from './files.ts';
import { errorCode, readTextIfThere } from './read-file.ts';

test('an atomic write replaces the whole file, keeps it private and leaves nothing else', (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'state.json');
  writeFileAtomic(file, 'old');
  writeFileAtomic(file, 'new', { durable: true });
  assert.equal(readFileSync(file, 'utf8'), 'new');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(folder), ['state.json']);
});

test('a failed write leaves the old content and no temporary file', (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(path.join(folder, 'taken', 'inside'), { recursive: true });
  assert.throws(() => writeFileAtomic(path.join(folder, 'taken'), 'x'));
  assert.deepEqual(readdirSync(folder), ['taken']);
});

test('a new file never follows a link that waits for it', (t) => {
  const folder = temporaryFolder(t);
  const secret = path.join(folder, 'secret');
  writeFileSync(secret, 'kept');
  symlinkSync(secret, path.join(folder, 'bait'));
  assert.throws(
    () => writeNewFile(path.join(folder, 'bait'), 'x'),
    (error) => errorCode(error) === 'EEXIST',
  );
  assert.equal(readFileSync(secret, 'utf8'), 'kept');
});

test('a missing file reads as undefined, a folder is an error', (t) => {
  const folder = temporaryFolder(t);
  assert.equal(readTextIfThere(path.join(folder, 'none')), undefined);
  assert.throws(() => readTextIfThere(folder));
});
