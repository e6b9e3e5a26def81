import assert from 'node:assert/strict';
import { closeSync, existsSync, mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { openNameless, openScratch } from './open-file.ts';

const memory = process.platform === 'linux' && existsSync('/dev/shm') ? '/dev/shm' : undefined;
const skip = memory === undefined && 'no file system here that surely has files without a name';

test('a file without a name never had one, so that a kill at any moment leaves nothing', { skip }, async (t) => {
  const folder = mkdtempSync(`${memory}/skillwright-test-`);
  t.after(() => rmSync(folder, { recursive: true }));
  const firstNamed = new Promise((resolve) => {
    const watcher = watch(folder, (event, name) => event === 'rename' && resolve(name));
    t.after(() => watcher.close());
  });
  const opened = [openNameless(folder, 'content'), openScratch(folder)];
  assert.equal(readFileSync(opened[0] ?? -1, 'utf8'), 'content');
  for (const descriptor of opened) closeSync(descriptor);
  writeFileSync(`${folder}/named`, '');
  assert.equal(await firstNamed, 'named');
});
