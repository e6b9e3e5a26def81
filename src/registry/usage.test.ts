import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../test/support/support.ts';
import { openStore } from '../store/sqlite/store.ts';
import { recordUse, type UsedSkill, usageOf } from './usage.ts';

const convert: UsedSkill = { source: 'user', folderName: 'convert', kind: 'command' };

test('003-21 a success is recorded: count, duration, last used', (t) => {
  using store = newStore(t);
  assert.deepEqual(usageOf(store, convert), { count: 0, failures: 0, totalMs: 0 });
  recordUse(store, convert, { ok: true, durationMs: 120, at: 5000 });
  assert.deepEqual(usageOf(store, convert), { count: 1, failures: 0, totalMs: 120, lastMs: 120, lastUsed: 5000 });
});

test('003-22 a failure leaves the count as it was and is counted apart', (t) => {
  using store = newStore(t);
  recordUse(store, convert, { ok: true, durationMs: 120, at: 5000 });
  recordUse(store, convert, { ok: false, durationMs: 900, at: 6000 });
  assert.deepEqual(usageOf(store, convert), { count: 1, failures: 1, totalMs: 120, lastMs: 120, lastUsed: 5000 });
});

test('003-24 a prompt skill is never recorded', (t) => {
  using store = newStore(t);
  recordUse(store, { ...convert, kind: 'prompt' }, { ok: true, durationMs: 1, at: 1 });
  assert.equal(store.usage.all().size, 0);
});

test('skills of the same name in another source or namespace have their own record', (t) => {
  using store = newStore(t);
  const others: UsedSkill[] = [
    { ...convert, source: 'project' },
    { ...convert, folderName: 'org/convert' },
  ];
  for (const skill of [convert, ...others]) recordUse(store, skill, { ok: true, durationMs: 1, at: 1 });
  for (const skill of [convert, ...others]) assert.equal(usageOf(store, skill).count, 1);
});

function newStore(t: TestContext) {
  const folder = temporaryFolder(t);
  return openStore({ home: folder, project: folder });
}
