// What every store must promise about single-flight; the embedded one and any other run this same suite.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Claim, Flights, FlightWish } from '../../src/store/store.ts';

export interface FlightHarness {
  /** Two connections to one database. */
  readonly one: Flights;
  readonly other: Flights;
  /** Lets time pass for the store. */
  wait(milliseconds: number): Promise<void>;
}

const LEASE_MS = 400;
const WINDOW_MS = 400;
/** Not over before forty claims are, on a busy machine too. */
const LONG_LEASE_MS = 60_000;
const PAYLOAD = 'the prompt';

export function testFlightContract(store: string, open: (t: TestContext) => Promise<FlightHarness>): void {
  const contract = (name: string, run: (harness: FlightHarness) => Promise<void>) =>
    test(`${store} flights: ${name}`, async (t) => run(await open(t)));

  contract('the first claim leads, the second sees it running', async ({ one, other }) => {
    const fence = leading(await one.claim(wish('k')));
    assert.deepEqual(await other.claim(wish('k')), { state: 'running', fence, payload: PAYLOAD });
    assert.deepEqual(await other.look(['k', 'free']), new Map([['k', { state: 'running', fence, payload: PAYLOAD }]]));
  });

  contract('001-01 of many claims at once exactly one leads', async ({ one, other }) => {
    const claims = await Promise.all(
      Array.from({ length: 40 }, async (_, at) =>
        (at % 2 === 0 ? one : other).claim(wish('k', { tag: `t${at}`, leaseMs: LONG_LEASE_MS })),
      ),
    );
    assert.equal(claims.filter(({ state }) => state === 'leading').length, 1);
  });

  contract('a result is kept for its window, then the key is free', async ({ one, other, wait }) => {
    const fence = leading(await one.claim(wish('k')));
    assert.equal(await one.finish({ key: 'k', fence }, 'done', WINDOW_MS), true);
    assert.deepEqual(await other.claim(wish('k')), { state: 'finished', fence, payload: PAYLOAD, result: 'done' });
    await wait(WINDOW_MS + 10);
    assert.equal((await other.look(['k'])).size, 0);
    assert.ok(leading(await other.claim(wish('k'))) > fence, 'a later leader has a higher fence');
  });

  contract(
    'each look sees what was written since the last, here or elsewhere, and leases that ended',
    async ({ one, other, wait }) => {
      const states = async () => [(await one.look(['k'])).get('k')?.state, (await other.look(['k'])).get('k')?.state];
      assert.deepEqual(await states(), [undefined, undefined]);
      const first = leading(await one.claim(wish('k')));
      assert.deepEqual(await states(), ['running', 'running']);
      await wait(LEASE_MS + 10);
      assert.deepEqual(await states(), [undefined, undefined]);
      const fence = leading(await other.claim(wish('k', { leaseMs: LONG_LEASE_MS })));
      assert.ok(fence > first);
      assert.equal((await one.look(['k'])).get('k')?.fence, fence);
      await other.finish({ key: 'k', fence }, 'done', LONG_LEASE_MS);
      assert.deepEqual(await states(), ['finished', 'finished']);
      await other.finish({ key: 'k', fence }, '', 0);
    },
  );

  contract('keys are independent of each other', async ({ one, other }) => {
    leading(await one.claim(wish('a')));
    leading(await other.claim(wish('b')));
  });

  contract('the same key for something else is a conflict, while it runs and afterwards', async ({ one, other }) => {
    const fence = leading(await one.claim(wish('k')));
    assert.deepEqual(await other.claim(wish('k', { payload: 'another' })), { state: 'conflict' });
    await one.finish({ key: 'k', fence }, 'done', WINDOW_MS);
    assert.deepEqual(await other.claim(wish('k', { payload: 'another' })), { state: 'conflict' });
  });

  contract('after the window the key may stand for something else', async ({ one, other, wait }) => {
    const fence = leading(await one.claim(wish('k')));
    await one.finish({ key: 'k', fence }, 'done', WINDOW_MS);
    await wait(WINDOW_MS + 10);
    leading(await other.claim(wish('k', { payload: 'another' })));
  });

  contract('a fresh claim passes by a stored result, never by a running leader', async ({ one, other }) => {
    const fence = leading(await one.claim(wish('k')));
    assert.equal((await other.claim(wish('k', { fresh: true }))).state, 'running');
    await one.finish({ key: 'k', fence }, 'done', WINDOW_MS);
    const claim = await other.claim(wish('k', { fresh: true }));
    assert.ok(leading(claim) > fence);
    assert.ok(!('former' in claim), 'a finished leader left nothing to end');
  });

  contract('a leader that renews keeps the lead beyond its first lease', async ({ one, other, wait }) => {
    const fence = leading(await one.claim(wish('k')));
    for (let beat = 0; beat < 4; beat++) {
      await wait(LEASE_MS / 2);
      assert.equal(await one.renew({ key: 'k', fence }, LEASE_MS), true);
    }
    assert.equal((await other.claim(wish('k'))).state, 'running');
  });

  contract('a silent leader is succeeded, and its tag is handed over', async ({ one, other, wait }) => {
    leading(await one.claim(wish('k', { tag: 'first' })));
    await wait(LEASE_MS + 10);
    const claim = await other.claim(wish('k', { tag: 'second' }));
    leading(claim);
    assert.equal('former' in claim && claim.former, 'first');
  });

  contract('a leader that woke late can neither renew nor finish', async ({ one, other, wait }) => {
    const late = leading(await one.claim(wish('k')));
    await wait(LEASE_MS + 10);
    const fence = leading(await other.claim(wish('k')));
    assert.equal(await one.renew({ key: 'k', fence: late }, LEASE_MS), false);
    assert.equal(await one.finish({ key: 'k', fence: late }, 'late', WINDOW_MS), false);
    assert.equal(await other.finish({ key: 'k', fence }, 'right', WINDOW_MS), true);
    assert.equal(await one.finish({ key: 'k', fence: late }, 'late', WINDOW_MS), false);
    assert.deepEqual((await one.look(['k'])).get('k'), { state: 'finished', fence, payload: PAYLOAD, result: 'right' });
  });

  contract('a late leader that nobody succeeded goes on', async ({ one, wait }) => {
    const fence = leading(await one.claim(wish('k')));
    await wait(LEASE_MS + 10);
    assert.equal(await one.renew({ key: 'k', fence }, LEASE_MS), true);
    assert.equal(await one.finish({ key: 'k', fence }, 'done', WINDOW_MS), true);
  });

  contract('a result is given once', async ({ one }) => {
    const fence = leading(await one.claim(wish('k')));
    assert.equal(await one.finish({ key: 'k', fence }, 'first', WINDOW_MS), true);
    assert.equal(await one.finish({ key: 'k', fence }, 'second', WINDOW_MS), false);
  });

  contract('a fence is never given twice, not even after everything was cleaned up', async ({ one, other, wait }) => {
    const old = leading(await one.claim(wish('k')));
    await one.finish({ key: 'k', fence: old }, 'done', 0);
    await wait(10);
    await one.clean();
    const fence = leading(await other.claim(wish('k')));
    assert.ok(fence > old);
    assert.equal(await one.finish({ key: 'k', fence: old }, 'late', WINDOW_MS), false);
  });

  contract('cleaning keeps running leaders and results within their window', async ({ one, other }) => {
    const running = leading(await one.claim(wish('running')));
    const fence = leading(await one.claim(wish('stored')));
    await one.finish({ key: 'stored', fence }, 'done', 60_000);
    await other.clean();
    const seen = await one.look(['running', 'stored']);
    assert.deepEqual(seen.get('running'), { state: 'running', fence: running, payload: PAYLOAD });
    assert.equal(seen.get('stored')?.state, 'finished');
  });

  contract(
    'a fresh claim for something else waits for a running leader as a conflict, and takes a finished key over',
    async ({ one, other }) => {
      const fence = leading(await one.claim(wish('k')));
      const changed = wish('k', { payload: 'another', fresh: true });
      assert.deepEqual(await other.claim(changed), { state: 'conflict' });
      await one.finish({ key: 'k', fence }, 'done', WINDOW_MS);
      assert.ok(leading(await other.claim(changed)) > fence);
      assert.deepEqual(await one.claim(wish('k')), { state: 'conflict' }, 'now it stands for something else');
    },
  );

  contract('a result without a window frees the key at once, and leaves nothing to end', async ({ one, other }) => {
    const fence = leading(await one.claim(wish('k')));
    assert.equal(await one.finish({ key: 'k', fence }, '', 0), true);
    const claim = await other.claim(wish('k', { payload: 'another' }));
    leading(claim);
    assert.ok(!('former' in claim));
  });

  contract('each successor is handed the tag of the one before it', async ({ one, other, wait }) => {
    const tags: unknown[] = [];
    for (const [at, flights] of [one, other, one].entries()) {
      const claim = await flights.claim(wish('k', { tag: `leader ${at}`, payload: `payload ${at}` }));
      leading(claim);
      tags.push('former' in claim ? claim.former : undefined);
      await wait(LEASE_MS + 10);
    }
    assert.deepEqual(tags, [undefined, 'leader 0', 'leader 1']);
  });

  contract('of many that find a silent leader exactly one succeeds it', async ({ one, other, wait }) => {
    const late = leading(await one.claim(wish('k', { tag: 'first' })));
    await wait(LEASE_MS + 10);
    const claims = await Promise.all(
      Array.from({ length: 40 }, async (_, at) =>
        (at % 2 === 0 ? one : other).claim(wish('k', { tag: `t${at}`, leaseMs: LONG_LEASE_MS })),
      ),
    );
    const leaders = claims.filter(({ state }) => state === 'leading');
    assert.equal(leaders.length, 1);
    const fences = new Set(claims.map((claim) => (claim.state === 'conflict' ? undefined : claim.fence)));
    assert.equal(fences.size, 1, 'all see the same leader');
    assert.ok(!fences.has(late));
  });

  contract('a lead that is over, or never was, cannot be renewed', async ({ one, other }) => {
    const fence = leading(await one.claim(wish('k')));
    await one.finish({ key: 'k', fence }, 'done', WINDOW_MS);
    assert.equal(await one.renew({ key: 'k', fence }, LEASE_MS), false);
    assert.equal(await other.renew({ key: 'k', fence: fence + 1000 }, LEASE_MS), false);
    assert.equal(await other.finish({ key: 'k', fence: fence + 1000 }, 'made up', WINDOW_MS), false);
    assert.equal((await other.look(['k'])).get('k')?.state, 'finished');
  });

  contract('one look answers for none, for many, and for a key asked twice', async ({ one, other }) => {
    assert.equal((await one.look([])).size, 0);
    const keys = Array.from({ length: 1000 }, (_, at) => `key ${at}`);
    for (const key of keys.slice(0, 500)) leading(await one.claim(wish(key, { leaseMs: 60_000 })));
    assert.deepEqual([...(await other.look([...keys, ...keys])).keys()].sort(), keys.slice(0, 500).sort());
  });

  contract('the date of the process that asks neither ends a lease nor a window', async ({ one, other }) => {
    leading(await one.claim(wish('running', { leaseMs: 60_000 })));
    const fence = leading(await one.claim(wish('stored', { leaseMs: 60_000 })));
    const real = Date.now;
    try {
      for (const jump of [-86_400_000, 86_400_000]) {
        Date.now = () => real() + jump;
        assert.equal((await other.claim(wish('running'))).state, 'running');
        await one.finish({ key: 'stored', fence }, 'done', 60_000);
        assert.equal((await other.claim(wish('stored'))).state, 'finished');
      }
    } finally {
      Date.now = real;
    }
  });

  contract('any text is a key and a result', async ({ one, other }) => {
    for (const text of ['skill-search:标记', 'a\'b"c\\d', '\u0001\n', '[]', 'x'.repeat(100_000)]) {
      const fence = leading(await one.claim(wish(text)));
      await one.finish({ key: text, fence }, text, 60_000);
      assert.deepEqual(await other.claim(wish(text)), { state: 'finished', fence, payload: PAYLOAD, result: text });
      assert.equal((await other.look([text])).get(text)?.state, 'finished');
    }
  });
}

function wish(key: string, changes: Partial<FlightWish> = {}): FlightWish {
  return { key, payload: PAYLOAD, tag: 'tag', leaseMs: LEASE_MS, ...changes };
}

function leading(claim: Claim): number {
  assert.equal(claim.state, 'leading');
  return claim.state === 'leading' ? claim.fence : Number.NaN;
}
