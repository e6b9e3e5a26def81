import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { answer, ask, testInterruptContract } from '../../../test/contract/interrupt-contract.ts';
import { temporaryFolder } from '../../../test/support/support.ts';
import { systemClock } from '../../base/clock.ts';
import { openInterrupts, openKeptApprovals } from './file.ts';

testInterruptContract('files', async (t) => {
  const { home, project, store } = open(t);
  return { one: store, other: openInterrupts(home, project) };
});

test('interrupts planted in a project, of another project or damaged are none', async (t) => {
  const { home, project, store } = open(t);
  const there = open(t);
  const foreign = await ask(there.store);
  assert.deepEqual(readdirSync(there.project), [], 'nothing lies in the project itself');
  cpSync(path.join(there.home, '.agent'), path.join(project, '.agent'), { recursive: true });
  cpSync(path.join(there.home, '.agent'), path.join(home, '.agent'), { recursive: true });
  assert.deepEqual(await store.list(), []);
  assert.deepEqual(await answer(store, foreign.id, ['approve']), { ok: false, why: 'missing' });
  const own = await ask(store);
  const folder = path.join(home, '.agent', 'interrupts');
  const [file = ''] = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.includes(own.id),
  );
  for (const change of [{ digest: '' }, { items: [1] }, { expires: null }, { kind: 'magic' }, { id: 'other' }]) {
    writeFileSync(path.join(folder, file), JSON.stringify({ ...own, project, ...change }));
    assert.deepEqual(await answer(store, own.id, ['approve']), { ok: false, why: 'missing' }, JSON.stringify(change));
  }
});

test('a yes kept for a job is for one call of it, used once, and under the home where it was given', async (t) => {
  const { home, project } = open(t);
  const [one, other] = [kept(home, project), kept(home, project)];
  one.give('job', 'key', 60_000);
  assert.equal(other.take('job', 'another key'), false);
  assert.equal(other.take('another job', 'key'), false);
  const taken = await Promise.all(
    Array.from({ length: 8 }, (_, at) => (at % 2 === 0 ? one : other).take('job', 'key')),
  );
  assert.equal(taken.filter(Boolean).length, 1);
  one.give('job', 'first', 60_000);
  one.give('job', 'second', 60_000);
  assert.equal(other.take('job', 'first'), false);
  assert.equal(other.take('job', 'second'), true);
  one.give('job', 'late', -1);
  assert.equal(other.take('job', 'late'), false);
  one.give('job', 'mine', 60_000);
  assert.equal(kept(open(t).home, project).take('job', 'mine'), false);
});

const kept = (home: string, project: string) => openKeptApprovals(home, project, systemClock);

function open(t: TestContext) {
  const root = realpathSync(temporaryFolder(t));
  const [home, project] = [path.join(root, 'home'), path.join(root, 'project')];
  mkdirSync(home);
  mkdirSync(project);
  return { home, project, store: openInterrupts(home, project) };
}
