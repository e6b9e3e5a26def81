import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '../../test/support/support.ts';
import { openWorkFolder, othersRun } from './work-folder.ts';

test('a work folder is private, empty, and soon gone with its content', async (t) => {
  const parent = path.join(temporaryFolder(t), 'work');
  const { folder, close } = openWorkFolder(parent);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  assert.deepEqual(readdirSync(folder), []);
  writeFileSync(path.join(folder, 'left'), 'x');
  const other = openWorkFolder(parent);
  assert.deepEqual([othersRun(folder), othersRun(other.folder)], [true, true]);
  close();
  assert.deepEqual([existsSync(folder), othersRun(other.folder)], [false, false]);
  rmSync(other.folder, { recursive: true });
  other.close();
  while (readdirSync(parent).length > 0) await sleep(1);
});

test('a process that ends at once leaves no work folder', (t) => {
  const parent = path.join(temporaryFolder(t), 'work');
  const module = path.join(import.meta.dirname, 'work-folder.ts');
  const script = `import { openWorkFolder } from ${JSON.stringify(module)}; openWorkFolder(${JSON.stringify(parent)}).close();`;
  assert.equal(spawnSync(process.execPath, ['--input-type=module', '-e', script]).status, 0);
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
