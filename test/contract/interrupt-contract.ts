// What every store must promise about questions and the answers kept for jobs; files and PostgreSQL run this same suite.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { canonicalJson } from '../../src/base/json.ts';
import { decideInterrupt, interrupt, type NewInterrupt } from '../../src/policy/interrupt/interrupt.ts';
import type { InterruptStore } from '../../src/store/interrupt-store.ts';

export interface InterruptHarness {
  /** The same store, opened twice: as by two processes of one user. */
  readonly one: InterruptStore;
  readonly other: InterruptStore;
}

export const APPROVAL: NewInterrupt = {
  kind: 'approval',
  question: 'run it?',
  items: ['call'],
  choices: ['approve', 'deny'],
  digest: 'd1',
  payload: { call: { tool: 'run_script' } },
};
const WORKER: NewInterrupt = { ...APPROVAL, kind: 'worker', items: ['a', "b'c"], choices: ['keep', 'uninstall'] };

export function ask(store: InterruptStore, wanted = APPROVAL, lifetimeMs?: number) {
  return interrupt(store, wanted, Date.now(), lifetimeMs);
}

export function answer(store: InterruptStore, id: string, words: readonly string[], digest = 'd1', now = Date.now()) {
  return decideInterrupt(store, { id, words, digestNow: () => digest }, now);
}

export function testInterruptContract(store: string, open: (t: TestContext) => Promise<InterruptHarness>): void {
  const contract = (name: string, run: (harness: InterruptHarness) => Promise<void>) =>
    test(`${store} interrupts: ${name}`, async (t) => run(await open(t)));

  contract('002-81 one names the command that goes on, survives a restart and is used once', async ({ one, other }) => {
    const saved = await ask(one);
    assert.equal(saved.resumeCommand, `skillwright resume ${saved.id} --decide approve`);
    const [listed, ...more] = await other.list();
    assert.deepEqual([listed?.id, listed?.isHere, listed?.question, more], [saved.id, true, saved.question, []]);
    assert.ok(listed && !('payload' in listed), 'what it goes on with is not for the list');
    const decided = await answer(other, saved.id, ['approve']);
    assert.ok(decided.ok);
    assert.equal(decided.decisions.call, 'approve');
    assert.equal(canonicalJson(decided.interrupt.payload), canonicalJson(APPROVAL.payload));
    assert.deepEqual(await answer(one, saved.id, ['approve']), { ok: false, why: 'missing' });
    assert.deepEqual(await one.list(), []);
  });

  contract('several items: pairs or a JSON object, every one of them', async ({ one }) => {
    const first = await ask(one, WORKER);
    assert.equal(first.resumeCommand, `skillwright resume ${first.id} --decide a=keep 'b'\\''c'=keep`);
    const decided = await answer(one, first.id, ['a=keep', "b'c=uninstall"]);
    assert.deepEqual(decided.ok && { ...decided.decisions }, { a: 'keep', "b'c": 'uninstall' });
    const second = await ask(one, WORKER);
    assert.ok((await answer(one, second.id, ['{"a":"keep","b\'c":"keep"}'])).ok);
  });

  const ASKED = { items: WORKER.items, choices: WORKER.choices };

  contract('fail closed: anything missing, unknown, expired or changed decides nothing', async ({ one }) => {
    const { id, expires } = await ask(one, WORKER);
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
    for (const [words, why] of refused)
      assert.deepEqual(await answer(one, id, words), { ok: false, why, asked: ASKED }, words.join(' '));
    const whole = ['a=keep', "b'c=keep"];
    assert.deepEqual(await answer(one, id, whole, 'd2'), { ok: false, why: 'changed' });
    for (const unknown of ['', '../x', 'ffffffffffff'])
      assert.deepEqual(await answer(one, unknown, whole), { ok: false, why: 'missing' });
    assert.equal((await one.list()).length, 1);
    assert.deepEqual(await answer(one, id, whole, 'd1', expires + 1_000), { ok: false, why: 'expired' });
    assert.ok(!(await answer(one, id, whole)).ok, 'what was once too late stays so');
  });

  contract('of many answers at the same moment one decides', async ({ one, other }) => {
    const { id } = await ask(one);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => answer(at % 2 === 0 ? one : other, id, [at % 3 === 0 ? 'deny' : 'approve'])),
    );
    assert.equal(answers.filter(({ ok }) => ok).length, 1);
    // The others came while it was open, or when it was not any more.
    const reasons = answers.flatMap((one) => (one.ok ? [] : [one.why]));
    assert.ok(
      reasons.every((why) => why === 'answered' || why === 'missing'),
      reasons.join(),
    );
  });

  contract('an answer that another one outran is told so', async ({ one, other }) => {
    const { id } = await ask(one);
    const outrun: InterruptStore = {
      ...one,
      async get(asked) {
        const found = await one.get(asked);
        assert.equal((await answer(other, asked, ['approve'])).ok, true);
        return found;
      },
    };
    assert.deepEqual(await answer(outrun, id, ['deny']), { ok: false, why: 'answered' });
  });

  contract('a question that was looked at is taken only while it is the same one', async ({ one, other }) => {
    const saved = await ask(one);
    assert.equal(await other.take({ ...saved, digest: 'd2' }), undefined);
    assert.equal((await other.take(saved))?.id, saved.id);
    assert.equal(await one.take(saved), undefined);
  });

  contract('an id is used once', async ({ one, other }) => {
    const saved = await ask(one);
    await assert.rejects(async () => other.save({ ...saved, digest: 'd2' }), { type: 'AlreadyExists' });
    assert.equal((await one.get(saved.id))?.digest, 'd1');
  });
}
