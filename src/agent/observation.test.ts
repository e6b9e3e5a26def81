import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compact, makeObservation, type Observation, renderObservation } from './observation.ts';

const kept = { sha256: 'ab'.repeat(32), bytes: 1, ref: 'observations/00001.txt' };
const make = (turn: number, text: string) =>
  makeObservation({ turn, of: `step ${turn}`, state: 'success', text }, kept);

test('a short text is whole, a long one is its ends and a reference', () => {
  assert.equal(make(1, 'short').text, 'short');
  const long = make(2, `HEAD${'x'.repeat(50_000)}TAIL`);
  assert.ok(long.text.length < 32 * 1024);
  assert.match(long.text, /^HEAD[\s\S]*left out: lines 1-1 of 1[\s\S]*TAIL$/);
  assert.match(renderObservation(long), /whole="observations\/00001\.txt sha256:abababababababab"/);
  assert.doesNotMatch(renderObservation(make(1, 'short')), /whole=/);
});

test('the latest stay whole, older ones become lines, the oldest only count', () => {
  let all: Observation[] = [];
  let forgotten = 0;
  for (let turn = 1; turn <= 1_000; turn++) {
    const { kept: left, dropped } = compact([...all, make(turn, 'x'.repeat(3_000))]);
    all = left;
    forgotten += dropped;
  }
  assert.equal(all.length + forgotten, 1_000);
  assert.equal(all.at(-1)?.turn, 1_000);
  assert.ok(all.length <= 62, String(all.length));
  assert.ok(JSON.stringify(all).length < 90_000);
  assert.deepEqual(
    all.map(({ turn }) => turn),
    all.map(({ turn }) => turn).toSorted((a, b) => a - b),
  );
  assert.match(renderObservation(all[0] as Observation), /left out to save room/);
});
