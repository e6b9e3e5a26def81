import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../test/support.ts';
import { canonicalJson } from '../base/json.ts';
import { decideInterrupt, type InterruptStore, interrupt, type NewInterrupt, openInterrupts } from './interrupt.ts';

const approval: NewInterrupt = {
  kind: 'approval',
  question: 'run it?',
  items: ['call'],
  choices: ['approve', 'deny'],
  digest: 'd1',
  payload: { call: { tool: 'run_script' } },
};
const worker: NewInterrupt = { ...approval, kind: 'worker', items: ['a', "b'c"], choices: ['keep', 'uninstall'] };

function open(t: TestContext): { home: string; project: string; store: InterruptStore } {
  const root = realpathSync(temporaryFolder(t));
  const [home, project] = [path.join(root, 'home'), path.join(root, 'project')];
  mkdirSync(home);
  mkdirSync(project);
  return { home, project, store: openInterrupts(home, project) };
}

function answer(store: InterruptStore, id: string, words: string[], digest = 'd1', now = 1) {
  return decideInterrupt(store, { id, words, digestNow: () => digest }, now);
}

test('002-81 an interrupt names the command that goes on, survives a restart and is used once', (t) => {
  const { home, project, store } = open(t);
  const saved = interrupt(store, approval, 0);
  assert.equal(saved.resumeCommand, `skillwright resume ${saved.id} --decide approve`);
  const reopened = openInterrupts(home, project);
  assert.equal(canonicalJson(reopened.list()), canonicalJson([saved]));
  const decided = answer(reopened, saved.id, ['approve']);
  assert.ok(decided.ok);
  assert.equal(decided.decisions.call, 'approve');
  assert.equal(canonicalJson(decided.interrupt.payload), canonicalJson(approval.payload));
  assert.deepEqual(answer(store, saved.id, ['approve']), { ok: false, why: 'missing' });
  assert.deepEqual(readdirSync(project), []);
});

test('several items: pairs or a JSON object, every one of them', (t) => {
  const { store } = open(t);
  const first = interrupt(store, worker, 0);
  assert.equal(first.resumeCommand, `skillwright resume ${first.id} --decide a=keep 'b'\\''c'=keep`);
  const decided = answer(store, first.id, ['a=keep', "b'c=uninstall"]);
  assert.deepEqual(decided.ok && { ...decided.decisions }, { a: 'keep', "b'c": 'uninstall' });
  const second = interrupt(store, worker, 0);
  assert.ok(answer(store, second.id, ['{"a":"keep","b\'c":"keep"}']).ok);
});

test('fail closed: anything missing, unknown, expired or changed decides nothing', (t) => {
  const { store } = open(t);
  const { id } = interrupt(store, worker, 0, 1000);
  const refused: [string[], string][] = [
    [[], 'undecided'],
    [['a=keep'], 'undecided'],
    [['keep'], 'unknown'],
    [['a=keep', "b'c=destroy"], 'unknown'],
    [['a=keep', 'c=keep'], 'unknown'],
    [['a=keep', 'a=uninstall', "b'c=keep"], 'unknown'],
    [['a=', "b'c=keep"], 'unknown'],
    [['{"a":"keep"}'], 'undecided'],
    [['{"a":true}'], 'unknown'],
    [['{"__proto__":"keep"}'], 'unknown'],
    [['{broken'], 'unknown'],
  ];
  for (const [words, why] of refused) assert.deepEqual(answer(store, id, words), { ok: false, why }, words.join(' '));
  const whole = ['a=keep', "b'c=keep"];
  assert.deepEqual(answer(store, id, whole, 'd2'), { ok: false, why: 'changed' });
  for (const unknown of ['', '../x', 'ffffffffffff']) {
    assert.deepEqual(answer(store, unknown, whole), { ok: false, why: 'missing' });
  }
  assert.equal(store.list().length, 1);
  assert.deepEqual(answer(store, id, whole, 'd1', 1000), { ok: false, why: 'expired' });
  assert.deepEqual(store.list(), []);
});

test('of two answers at the same moment one decides', (t) => {
  const { home, project, store } = open(t);
  const other = openInterrupts(home, project);
  const { id } = interrupt(store, approval, 0);
  const inner: boolean[] = [];
  const outer = decideInterrupt(
    store,
    {
      id,
      words: ['approve'],
      digestNow: () => {
        inner.push(answer(other, id, ['deny']).ok);
        return 'd1';
      },
    },
    1,
  );
  assert.deepEqual([inner, outer.ok], [[true], false]);
});

test('interrupts planted in a project, of another project or damaged are none', (t) => {
  const { home, project, store } = open(t);
  const there = open(t);
  const foreign = interrupt(there.store, approval, 0);
  cpSync(path.join(there.home, '.agent'), path.join(project, '.agent'), { recursive: true });
  cpSync(path.join(there.home, '.agent'), path.join(home, '.agent'), { recursive: true });
  assert.deepEqual(store.list(), []);
  assert.deepEqual(answer(store, foreign.id, ['approve']), { ok: false, why: 'missing' });
  const own = interrupt(store, approval, 0);
  const folder = path.join(home, '.agent', 'interrupts');
  const [file = ''] = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.includes(own.id),
  );
  for (const change of [{ digest: '' }, { items: [1] }, { expires: null }, { kind: 'magic' }, { id: 'other' }]) {
    writeFileSync(path.join(folder, file), JSON.stringify({ ...own, project, ...change }));
    assert.deepEqual(answer(store, own.id, ['approve']), { ok: false, why: 'missing' }, JSON.stringify(change));
  }
});
