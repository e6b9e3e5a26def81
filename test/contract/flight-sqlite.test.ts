// The embedded store keeps the promises of single-flight; its clock is the machine's, which no change of date moves.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { stateFile } from '../../src/store/location.ts';
import { openDatabase } from '../../src/store/sqlite/database.ts';
import { openStore } from '../../src/store/sqlite/store.ts';
import { machineTicks, type Ticks } from '../../src/store/ticks.ts';
import { temporaryFolder } from '../support/support.ts';
import { testFlightContract } from './flight-contract.ts';

testFlightContract('SQLite', async (t) => {
  const clock = { epoch: 'test', time: 1_000, now: () => clock.time };
  const place = placeIn(t);
  return {
    one: open(t, place, clock),
    other: open(t, place, clock),
    wait: async (milliseconds) => {
      clock.time += milliseconds;
    },
  };
});

test('threat 65 blocked: a jump of the date neither ends a lease nor a window nor prolongs them', async (t) => {
  const place = placeIn(t);
  const flights = open(t, place, machineTicks);
  await flights.claim({ key: 'running', payload: 'p', tag: 't', leaseMs: 60_000 });
  const real = Date.now;
  t.after(() => {
    Date.now = real;
  });
  for (const jump of [-86_400_000, 86_400_000]) {
    Date.now = () => real() + jump;
    const claim = await open(t, place, machineTicks).claim({ key: 'running', payload: 'p', tag: 't', leaseMs: 60_000 });
    assert.equal(claim.state, 'running');
  }
});

test('threat 65 control: with the date as clock a jump ends the lease of a living leader', async (t) => {
  const place = placeIn(t);
  const date: Ticks = { epoch: 'date', now: () => Date.now() };
  await open(t, place, date).claim({ key: 'running', payload: 'p', tag: 't', leaseMs: 60_000 });
  const real = Date.now;
  t.after(() => {
    Date.now = real;
  });
  Date.now = () => real() + 86_400_000;
  const claim = await open(t, place, date).claim({ key: 'running', payload: 'p', tag: 't', leaseMs: 60_000 });
  assert.equal(claim.state, 'leading');
});

test('after a restart of the machine nothing of before counts, and nothing is left to end', async (t) => {
  const place = placeIn(t);
  const before = open(t, place, { epoch: 'one', now: () => 90_000_000 });
  await before.claim({ key: 'k', payload: 'p', tag: 'old', leaseMs: 60_000 });
  const after = open(t, place, { epoch: 'two', now: () => 5 });
  assert.equal((await after.look(['k'])).size, 0);
  const claim = await after.claim({ key: 'k', payload: 'p', tag: 'new', leaseMs: 60_000 });
  assert.equal(claim.state, 'leading');
  assert.ok(!('former' in claim));
});

test('entries do not pile up', async (t) => {
  const clock = { epoch: 'test', time: 0, now: () => clock.time };
  const place = placeIn(t);
  const flights = open(t, place, clock);
  for (let index = 0; index < 300; index++) {
    const claim = await flights.claim({ key: `k${index}`, payload: 'p', tag: 't', leaseMs: 5_000 });
    if (claim.state === 'leading') await flights.finish({ key: `k${index}`, fence: claim.fence }, 'x', 5_000);
    clock.time += 100;
  }
  const database = openDatabase(stateFile(place));
  t.after(() => database.close());
  const [row] = database.rows('SELECT count(*) AS value FROM flight');
  assert.ok(Number(row?.value) <= 65, `${row?.value} entries`);
});

function placeIn(t: TestContext) {
  const folder = temporaryFolder(t);
  return { home: folder, project: folder };
}

function open(t: TestContext, place: { home: string; project: string }, ticks: Ticks) {
  const store = openStore(place, { ticks });
  t.after(() => store.close());
  return store.flights;
}
