// The embedded queue keeps the promises of the queue; its leases are measured with the machine's clock, which no date moves.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Fault } from '../../src/base/errors.ts';
import { stateFile } from '../../src/store/location.ts';
import { openDatabase } from '../../src/store/sqlite/database.ts';
import { openQueue, type QueueOptions } from '../../src/store/sqlite/queue.ts';
import { QUEUE_SQL } from '../../src/store/sqlite/queue-sql.ts';
import { temporaryFolder } from '../support/support.ts';
import { queueContract } from './queue-contract.ts';

queueContract('SQLite', async (t) => {
  const place = placeIn(t);
  return { open: async () => open(t, place) };
});

const job = {
  role: 'r',
  target: 't',
  payload: '{}',
  retry: { limit: 9, delayMs: 1_000, maxMs: 5_000 },
  timeoutMs: 1_000,
};
const wish = { worker: 'w', tag: 'first', leaseMs: 60_000, limit: 1 };

test('after a restart of the machine what ran is due again, and nothing is left to end', async (t) => {
  const place = placeIn(t);
  const before = open(t, place, { ticks: { epoch: 'one', now: () => 90_000_000 } });
  await before.enqueue(job);
  await before.claim(wish);
  const after = open(t, place, { ticks: { epoch: 'two', now: () => 5 } });
  const [again] = await after.claim(wish);
  assert.deepEqual([again?.attempt, again?.former], [2, undefined]);
});

test('a jump of the date neither ends a lease nor holds up a job that is due', async (t) => {
  const place = placeIn(t);
  const clock = { time: 1_700_000_000_000, now: () => clock.time };
  const queue = open(t, place, { clock });
  await queue.enqueue(job);
  const [held] = await queue.claim(wish);
  clock.time += 86_400_000;
  assert.deepEqual(await queue.claim(wish), []);
  assert.deepEqual(await queue.renew([held ?? { id: '', fence: 0 }], 60_000), ['held']);
  await queue.enqueue(job);
  clock.time -= 2 * 86_400_000;
  assert.equal((await queue.claim(wish)).length, 1);
});

test('a failed job waits twice as long each time, up to its limit, less up to half by chance', async (t) => {
  const clock = { time: 1_700_000_000_000, now: () => clock.time };
  for (const [random, waits] of [
    [() => 0, [1_000, 2_000, 4_000, 5_000, 5_000]],
    [() => 1, [500, 1_000, 2_000, 2_500, 2_500]],
  ] as const) {
    const queue = open(t, placeIn(t), { clock, random });
    await queue.enqueue(job);
    for (const wait of waits) {
      const [held] = await queue.claim(wish);
      assert.ok(held);
      const failed = await queue.fail(held, { result: '{}', reason: 'x', retryable: true });
      assert.deepEqual(failed, { state: 'queued', dueAt: clock.time + wait });
      clock.time += wait - 1;
      assert.deepEqual(await queue.claim(wish), []);
      clock.time += 1;
    }
  }
});

test('a state that this version does not know is named, is not counted, and stops no other job', async (t) => {
  const place = placeIn(t);
  const queue = open(t, place);
  for (const key of ['odd', 'sound']) await queue.enqueue({ ...job, key });
  const database = openDatabase(stateFile(place));
  t.after(() => database.close());
  database.run("UPDATE job SET state = 'paused', line = NULL, ended_at = 1 WHERE key = ?", 'odd');
  await assert.rejects(
    async () => queue.history({}),
    (error) => error instanceof Fault && error.type === 'StateUnusable' && /unknown state paused/.test(error.message),
  );
  assert.equal((await queue.stats()).counts.queued, 1);
  assert.deepEqual(
    (await queue.claim({ ...wish, limit: 5 })).map(({ key }) => key),
    ['sound'],
  );
});

test('claiming looks at no job that has ended', (t) => {
  const place = placeIn(t);
  open(t, place);
  const database = openDatabase(stateFile(place));
  t.after(() => database.close());
  const values = { digests: null, labels: '[]' };
  const plan = [
    ...database.rowsNamed(`EXPLAIN QUERY PLAN ${QUEUE_SQL.nextJob}`, values),
    ...database.rows(`EXPLAIN QUERY PLAN ${QUEUE_SQL.look}`),
  ].map((row) => String(row.detail));
  const jobs = plan.filter((step) => /^(SCAN|SEARCH) (job|other)\b/.test(step));
  assert.ok(jobs.length >= 5, plan.join('\n'));
  for (const step of jobs) assert.match(step, /USING (COVERING )?INDEX job_(line|later|lane)\b/);
  assert.ok(!plan.some((step) => /TEMP B-TREE/.test(step)), plan.join('\n'));
});

function placeIn(t: TestContext) {
  const folder = temporaryFolder(t);
  return { home: folder, project: folder };
}

function open(t: TestContext, place: { home: string; project: string }, options: QueueOptions = {}) {
  const queue = openQueue(place, options);
  t.after(() => queue.close());
  return queue;
}
