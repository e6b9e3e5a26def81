import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../base/errors.ts';
import { refused } from './failure.ts';
import { backoff, type Pace, readRetryAfter, systemPace, withRetries } from './retry.ts';

const busy = (waitMs?: number) => refused(503, '', waitMs);
const outside = (error: unknown) => error instanceof Fault && error.type === 'ExternalServiceError';

/** A clock that moves only while something sleeps. */
function still(): Pace & { waits: number[] } {
  let now = 0;
  const waits: number[] = [];
  const sleep = async (ms: number) => {
    waits.push(ms);
    now += ms;
  };
  return { clock: { now: () => now }, sleep, random: () => 0, waits };
}

function failing(times: number, failure: () => Error) {
  let calls = 0;
  const attempt = async () => {
    if (++calls <= times) throw failure();
    return calls;
  };
  return { attempt, calls: () => calls };
}

test('backoff doubles up to a limit, and chance moves it within its upper half', () => {
  assert.deepEqual(
    [1, 2, 3, 6, 60].map((failures) => backoff(failures, 1)),
    [500, 1000, 2000, 16_000, 16_000],
  );
  assert.deepEqual(
    [0, 0.5, 1].map((random) => backoff(2, random)),
    [500, 750, 1000],
  );
});

test('retry-after is read as milliseconds, seconds or a date, and ignored as anything else', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  const read = (headers: Record<string, string>) => readRetryAfter(new Headers(headers), now);
  assert.equal(read({ 'retry-after-ms': '150', 'retry-after': '9' }), 150);
  assert.equal(read({ 'retry-after': '2.5' }), 2500);
  assert.equal(read({ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }), 30_000);
  assert.equal(read({ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }), 0);
  for (const odd of ['', '-5', 'soon', 'NaN']) assert.equal(read({ 'retry-after': odd }), undefined);
  assert.equal(read({}), undefined);
});

test('attempts end with success, with the limit, or at once where trying again cannot help', async () => {
  const pace = still();
  const twice = failing(2, busy);
  assert.equal(await withRetries(twice.attempt, { retries: 2, totalMs: 60_000, pace }), 3);
  assert.deepEqual(pace.waits, [250, 500]);
  const always = failing(99, busy);
  await assert.rejects(withRetries(always.attempt, { retries: 2, totalMs: 60_000, pace }), outside);
  assert.equal(always.calls(), 3);
  const denied = failing(99, () => refused(401, ''));
  await assert.rejects(withRetries(denied.attempt, { retries: 2, totalMs: 60_000, pace }), outside);
  assert.equal(denied.calls(), 1);
});

test('a server that says "at once" is still given time', async () => {
  const pace = still();
  await withRetries(failing(1, () => busy(0)).attempt, { retries: 1, totalMs: 60_000, pace });
  assert.deepEqual(pace.waits, [250]);
});

test('no wait crosses the deadline', async () => {
  const pace = still();
  const asked = failing(99, () => busy(4000));
  await assert.rejects(withRetries(asked.attempt, { retries: 99, totalMs: 10_000, pace }), outside);
  assert.deepEqual(pace.waits, [4000, 4000]);
  assert.equal(asked.calls(), 3);
});

test('an error nobody expected is neither hidden nor repeated', async () => {
  const bug = failing(99, () => new TypeError('bug'));
  await assert.rejects(withRetries(bug.attempt, { retries: 2, totalMs: 60_000, pace: still() }), TypeError);
  assert.equal(bug.calls(), 1);
});

test('a stop during the wait ends it without another attempt', async () => {
  const controller = new AbortController();
  const busyOnce = failing(99, () => busy(3_600_000));
  const stopped = withRetries(busyOnce.attempt, {
    retries: 2,
    totalMs: 7_200_000,
    pace: systemPace,
    signal: controller.signal,
    onRetry: () => setImmediate(() => controller.abort()),
  });
  await assert.rejects(stopped, { name: 'AbortError' });
  assert.equal(busyOnce.calls(), 1);
});
