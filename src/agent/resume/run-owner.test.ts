import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/support/support.ts';
import { claimRun } from './run-owner.ts';

test('a run has one driver; it is free again when that one lets go', (t) => {
  const folder = temporaryFolder(t);
  const release = claimRun(folder);
  assert.throws(() => claimRun(folder), /still running/);
  release();
  claimRun(folder)();
  assert.deepEqual(readdirSync(folder), []);
});

test('what a dead process, or an earlier one with the same id, left behind does not count', (t) => {
  for (const owner of ['999999999 1', `${process.pid} 1`, 'nonsense', '']) {
    const folder = temporaryFolder(t);
    writeFileSync(path.join(folder, 'owner'), owner);
    claimRun(folder)();
  }
});
