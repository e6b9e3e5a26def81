import assert from 'node:assert/strict';
import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/support.ts';
import { openWorkFolder } from './work-folder.ts';

test('a work folder is private, empty and gone with its content', (t) => {
  const parent = path.join(temporaryFolder(t), 'work');
  const { folder, close } = openWorkFolder(parent);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  assert.deepEqual(readdirSync(folder), []);
  writeFileSync(path.join(folder, 'left'), 'x');
  close();
  assert.deepEqual(readdirSync(parent), []);
});

test('what a killed host left is taken away after a week, what another call uses is not', (t) => {
  const parent = temporaryFolder(t);
  const [killed, running] = [openWorkFolder(parent), openWorkFolder(parent)];
  const old = Date.now() / 1000 - 8 * 24 * 3600;
  utimesSync(killed.folder, old, old);
  openWorkFolder(parent);
  assert.deepEqual([existsSync(killed.folder), existsSync(running.folder)], [false, true]);
});
