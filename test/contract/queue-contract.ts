// What every queue must promise; the embedded one and any other run this same suite.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ClaimedJob,
  type ClaimWish,
  type Enqueued,
  type NewJob,
  type Queue,
  SPARE_WORKERS,
} from '../../src/store/queue.ts';

export interface QueueHarness {
  /** Another connection to the same data. */
  open(): Promise<Queue>;
}

/** Long enough that no slow machine loses it by chance, and short enough to wait for. */
const LONG_MS = 60_000;
const SHORT_MS = 200;

type Pair = (one: Queue, other: Queue, t: TestContext) => Promise<void>;

export function queueContract(name: string, open: (t: TestContext) => Promise<QueueHarness>): void {
  const contract = (what: string, run: Pair) =>
    test(`${name} queue: ${what}`, async (t) => {
      const harness = await open(t);
      await run(await harness.open(), await harness.open(), t);
    });
  enqueueing(contract);
  claiming(contract);
  holding(contract);
  failing(contract);
  steering(contract);
  lanes(contract);
  looking(contract);
  waiting(contract);
  scheduling(contract);
}

type Contract = (what: string, run: Pair) => void;

function enqueueing(contract: Contract): void {
  contract('a job is kept as it was given, and seen by everybody', async (one, other) => {
    const job: NewJob = newJob({
      role: 'analyst',
      target: 'analyst/简报 daily',
      payload: '{"text":"\\u0000 ünïcode 标记"}',
      priority: 3,
      lane: 'lane',
      schedule: 'analyst/daily',
      occurrence: 1_700_000_000_123,
      digest: 'abc',
      labels: ['gpu', 'linux'],
      key: 'the key',
      timeoutMs: 1234,
    });
    const { id } = queued(await one.enqueue(job));
    const found = await other.find(id);
    assert.ok(found);
    const { createdAt, dueAt, ...rest } = found;
    assert.deepEqual(rest, { ...job, id, state: 'queued', attempt: 0 });
    assert.ok(dueAt >= createdAt && Math.abs(createdAt - Date.now()) < LONG_MS);
    assert.equal(await other.find('nothing'), undefined);
  });

  contract('the same key is the same job; with another payload it is a conflict', async (one, other) => {
    const { id } = queued(await one.enqueue(newJob({ key: 'k' })));
    assert.deepEqual(await other.enqueue(newJob({ key: 'k' })), { state: 'known', id });
    assert.deepEqual(await other.enqueue(newJob({ key: 'k', payload: 'another' })), { state: 'conflict', id });
    const [job] = await claim(one);
    await one.complete(holdOf(job), { result: '{}' });
    assert.deepEqual(await other.enqueue(newJob({ key: 'k' })), { state: 'known', id });
  });

  contract('of many that use one key at once, one is enqueued', async (one, other) => {
    const all = await Promise.all(
      Array.from({ length: 30 }, async (_, at) => (at % 2 ? one : other).enqueue(newJob({ key: 'k' }))),
    );
    assert.equal(all.filter(({ state }) => state === 'queued').length, 1);
    assert.equal(new Set(all.map(({ id }) => id)).size, 1);
  });

  contract('a delayed job is not due before its time', async (one, other) => {
    await one.enqueue(newJob({ delayMs: LONG_MS }));
    const { id } = queued(await one.enqueue(newJob({ delayMs: 300 })));
    // On a busy machine its time may have come at the first look.
    const [job] = await until(() => claim(other, { limit: 5 }));
    assert.equal(job?.id, id);
    assert.ok((job?.startedAt ?? 0) >= (job?.dueAt ?? Number.POSITIVE_INFINITY));
  });
}

function claiming(contract: Contract): void {
  contract('highest priority first, then the oldest', async (one, other) => {
    const ids: string[] = [];
    for (const priority of [0, 5, 0, 5, -1]) ids.push(queued(await one.enqueue(newJob({ priority }))).id);
    const order = (await claim(other, { limit: 10 })).map(({ id }) => ids.indexOf(id));
    assert.deepEqual(order, [1, 3, 0, 2, 4]);
  });

  contract('what is claimed says who has it, and nobody else gets it', async (one, other) => {
    const { id } = queued(await one.enqueue(newJob()));
    const [job] = await claim(one, { worker: 'w1' });
    assert.equal(job?.id, id);
    assert.deepEqual([job?.state, job?.attempt, job?.worker, job?.former], ['running', 1, 'w1', undefined]);
    assert.deepEqual(await claim(other), []);
    const found = await other.find(id);
    assert.deepEqual([found?.state, found?.worker, found?.attempt], ['running', 'w1', 1]);
  });

  contract('many claims at once: each job goes to one of them', async (one, other) => {
    for (let at = 0; at < 20; at++) await one.enqueue(newJob());
    const all = await Promise.all(
      Array.from({ length: 30 }, async (_, at) => claim(at % 2 ? one : other, { worker: `w${at}` })),
    );
    const ids = all.flat().map(({ id }) => id);
    assert.deepEqual([ids.length, new Set(ids).size], [20, 20]);
  });

  contract('a worker gets what it can run: files and labels', async (one, other) => {
    const byFiles = queued(await one.enqueue(newJob({ digest: 'new' }))).id;
    const byLabel = queued(await one.enqueue(newJob({ labels: ['gpu', 'eu'] }))).id;
    const plain = queued(await one.enqueue(newJob())).id;
    const ids = async (wish: Partial<ClaimWish>) => (await claim(other, { limit: 9, ...wish })).map(({ id }) => id);
    assert.deepEqual(await ids({ digests: ['old'], labels: ['gpu'] }), [plain]);
    assert.deepEqual(await ids({ digests: [], labels: ['eu', 'x', 'gpu'] }), [byLabel]);
    assert.deepEqual(await ids({ digests: ['old', 'new'] }), [byFiles]);
  });

  contract('one job can be claimed by its id, also before it is due, and by one worker only', async (one, other) => {
    const first = queued(await one.enqueue(newJob({ priority: 9 }))).id;
    const wanted = queued(await one.enqueue(newJob({ delayMs: LONG_MS }))).id;
    const bound = queued(await one.enqueue(newJob({ lane: 'a', labels: ['gpu'] }))).id;
    const ids = async (wish: Partial<ClaimWish>) => (await claim(other, { limit: 5, ...wish })).map(({ id }) => id);
    assert.deepEqual(await ids({ only: wanted }), [wanted]);
    assert.deepEqual(await ids({ only: wanted }), []);
    assert.deepEqual(await ids({ only: 'nothing' }), []);
    assert.deepEqual(await ids({ only: bound }), [], 'labels count');
    assert.deepEqual(await ids({}), [first], 'the others are still there');
    assert.deepEqual(await ids({ only: bound, labels: ['gpu'] }), [bound]);
    const next = queued(await one.enqueue(newJob({ lane: 'a' }))).id;
    assert.deepEqual(await ids({ only: next }), [], 'so does a busy lane');
    const last = queued(await one.enqueue(newJob())).id;
    await one.setPaused(true);
    assert.deepEqual(await ids({ only: last }), [], 'and a pause');
  });

  contract('nothing is claimed while paused, and what runs goes on', async (one, other) => {
    await one.enqueue(newJob());
    const [job] = await claim(one);
    await one.enqueue(newJob());
    await other.setPaused(true);
    assert.deepEqual(await claim(one), []);
    assert.equal((await other.stats()).paused, true);
    assert.equal(await one.complete(holdOf(job), { result: '{}' }), true);
    await other.setPaused(false);
    assert.equal((await claim(one)).length, 1);
  });
}

function holding(contract: Contract): void {
  contract('a completed job keeps its result, and is completed once', async (one, other) => {
    const { id } = queued(await one.enqueue(newJob()));
    const [job] = await claim(one);
    assert.equal(await one.complete(holdOf(job), { result: '{"ok":1}', run: 'run-1' }), true);
    assert.equal(await one.complete(holdOf(job), { result: '{"ok":2}' }), false);
    const found = await other.find(id);
    assert.deepEqual([found?.state, found?.result, found?.run], ['done', '{"ok":1}', 'run-1']);
    assert.ok((found?.endedAt ?? 0) >= (found?.startedAt ?? 1));
    assert.deepEqual(await claim(other), []);
  });

  contract('a lease that is renewed does not run out', async (one, other) => {
    await one.enqueue(newJob());
    const [job] = await claim(one, { leaseMs: LONG_MS });
    assert.deepEqual(await one.renew([holdOf(job)], LONG_MS), ['held']);
    await sleep(SHORT_MS);
    assert.deepEqual(await claim(other), []);
  });

  contract('a silent worker is succeeded; its late words are refused', async (one, other) => {
    const { id } = queued(await one.enqueue(newJob()));
    const [late] = await claim(one, { leaseMs: SHORT_MS, tag: 'first' });
    const [next] = await until(() => claim(other, { tag: 'second', worker: 'w2' }));
    assert.ok(late && next);
    assert.deepEqual([next.id, next.attempt, next.former], [id, 2, 'first']);
    assert.ok(next.fence > late.fence);
    assert.deepEqual(await one.renew([holdOf(late)], LONG_MS), ['lost']);
    assert.equal(await one.complete(holdOf(late), { result: 'late' }), false);
    assert.deepEqual(await one.fail(holdOf(late), { result: 'late', reason: 'late', retryable: true }), {
      state: 'lost',
    });
    assert.equal(await one.suspend(holdOf(late), { result: 'late', reason: 'late' }), false);
    assert.equal(await one.release(holdOf(late)), false);
    assert.equal(await other.complete(holdOf(next), { result: 'right' }), true);
    assert.equal(await one.complete(holdOf(late), { result: 'late' }), false);
    assert.equal((await one.find(id))?.result, 'right');
  });

  contract(
    'a silent worker costs no retry; after the last spare one the job is dead and says why',
    async (one, other) => {
      const { id } = queued(await one.enqueue(newJob({ retry: { limit: 0, delayMs: 10, maxMs: 10 } })));
      for (let attempt = 1; attempt <= SPARE_WORKERS + 1; attempt++) {
        const [job] = await until(() => claim(other, { leaseMs: SHORT_MS, worker: `w${attempt}` }));
        assert.deepEqual([job?.attempt, job?.lost ?? 0], [attempt, attempt - 1]);
      }
      const [dead] = await until(async () => {
        await claim(one);
        const found = await one.find(id);
        return found?.state === 'dead' ? [found] : [];
      });
      assert.match(dead?.reason ?? '', /silent/);
      assert.deepEqual(
        dead?.tries?.map(({ attempt, how, worker }) => `${attempt} ${how} ${worker}`),
        Array.from({ length: SPARE_WORKERS + 1 }, (_, at) => `${at + 1} silent w${at + 1}`),
      );
    },
  );

  contract('retries are for failures: those before and after a silent worker count alike', async (one, other) => {
    const { id } = queued(await one.enqueue(newJob({ retry: { limit: 1, delayMs: 0, maxMs: 0 } })));
    const end = { result: '{"e":1}', reason: 'it broke', retryable: true, run: 'r1' };
    const [first] = await claim(one);
    assert.equal((await one.fail(holdOf(first), end)).state, 'queued');
    assert.equal((await claim(one, { leaseMs: SHORT_MS })).length, 1);
    const [third] = await until(() => claim(other));
    assert.equal((await other.fail(holdOf(third), { ...end, run: 'r3' })).state, 'dead');
    const found = await one.find(id);
    assert.deepEqual([found?.attempt, found?.lost], [3, 1]);
    assert.deepEqual(
      found?.tries?.map(({ attempt, how, reason, run }) => [attempt, how, reason, run]),
      [
        [1, 'failed', 'it broke', 'r1'],
        [2, 'silent', undefined, undefined],
        [3, 'failed', 'it broke', 'r3'],
      ],
    );
    for (const { startedAt, endedAt } of found?.tries ?? []) assert.ok(startedAt <= endedAt);
    assert.equal(await one.retry(id), 'queued');
    const [again] = await claim(one);
    assert.deepEqual([again?.attempt, again?.lost, again?.tries?.length], [1, undefined, 3]);
  });

  contract('a job says how far it is, as long as it is held', async (one, other) => {
    const { id } = queued(await one.enqueue(newJob()));
    const [late] = await claim(one, { leaseMs: SHORT_MS });
    await one.report(holdOf(late), '50% 一半');
    assert.equal((await other.find(id))?.progress, '50% 一半');
    const [next] = await until(() => claim(other));
    await one.report(holdOf(late), '99%');
    assert.equal((await other.find(id))?.progress, undefined, 'the next attempt begins anew');
    await other.report(holdOf(next), '10%');
    await other.complete(holdOf(next), { result: '{}' });
    assert.equal((await one.find(id))?.progress, '10%');
  });

  contract('what a silent worker left is named until it is cleaned, whatever became of its job', async (one, other) => {
    const once = { limit: 0, delayMs: 0, maxMs: 0 };
    const dead = queued(await one.enqueue(newJob({ retry: once }))).id;
    const cancelled = queued(await one.enqueue(newJob())).id;
    const again = queued(await one.enqueue(newJob())).id;
    const retried = queued(await one.enqueue(newJob({ retry: once }))).id;
    for (const id of [dead, cancelled, again, retried])
      assert.equal((await claim(one, { only: id, tag: `of ${id}`, leaseMs: SHORT_MS })).length, 1);
    await one.cancel(cancelled);
    const [next] = await until(() => claim(other, { only: again, tag: 'next' }));
    assert.deepEqual([next?.id, next?.former], [again, `of ${again}`], 'its successor is told');
    for (const id of [dead, retried])
      await until(async () => {
        await claim(other, { only: id, tag: `of ${id}`, leaseMs: 1 });
        await other.leftBehind();
        return (await other.find(id))?.state === 'dead' ? [id] : [];
      });
    assert.deepEqual(
      (await one.leftBehind()).toSorted(),
      [dead, cancelled, again, retried].map((id) => `of ${id}`).toSorted(),
    );
    await other.retry(retried);
    assert.equal((await claim(other, { only: retried, tag: 'new' }))[0]?.former, `of ${retried}`);
    await other.complete(holdOf(next), { result: '{}' });
    for (const id of [dead, again, retried]) await other.cleaned(`of ${id}`);
    assert.deepEqual(await one.leftBehind(), [`of ${cancelled}`]);
    await other.cleaned(`of ${cancelled}`);
    assert.deepEqual(await one.leftBehind(), []);
  });

  contract('a job given back costs no attempt, and leaves nothing to end', async (one, other) => {
    await one.enqueue(newJob());
    const [job] = await claim(one, { tag: 'first' });
    assert.equal(await one.release(holdOf(job)), true);
    const [next] = await claim(other, { tag: 'second' });
    assert.deepEqual([next?.attempt, next?.former], [1, undefined]);
    assert.ok((next?.fence ?? 0) > (job?.fence ?? 0));
  });

  contract('a job that needs a decision waits, until it is let go on', async (one, other) => {
    const { id } = queued(await one.enqueue(newJob()));
    const [job] = await claim(one);
    assert.equal(await one.suspend(holdOf(job), { result: '{"q":1}', reason: 'a decision', run: 'r' }), true);
    const found = await other.find(id);
    assert.deepEqual(
      [found?.state, found?.reason, found?.result, found?.run],
      ['waiting', 'a decision', '{"q":1}', 'r'],
    );
    assert.deepEqual(await claim(other), []);
    assert.equal(await other.retry(id), 'queued');
    assert.deepEqual(
      (await claim(other)).map(({ attempt }) => attempt),
      [1],
    );
  });
}

function failing(contract: Contract): void {
  const retry = { limit: 2, delayMs: 80, maxMs: 100 };
  const end = { result: '{"e":1}', reason: 'it broke', retryable: true };

  contract('a failed job is tried again later, until its limit; then it is dead', async (one, other) => {
    const { id } = queued(await one.enqueue(newJob({ retry })));
    for (let attempt = 1; attempt <= 3; attempt++) {
      const [job] = await until(() => claim(other));
      assert.equal(job?.attempt, attempt);
      const before = Date.now();
      const failed = await other.fail(holdOf(job), end);
      assert.equal(failed.state, attempt <= 2 ? 'queued' : 'dead');
      if (failed.state !== 'queued') continue;
      // Halved at most by chance, and never above the limit; the clock of the store may differ a little.
      assert.ok(failed.dueAt >= before + 35 && failed.dueAt <= Date.now() + 105, `${failed.dueAt - before}`);
    }
    const found = await one.find(id);
    assert.deepEqual([found?.state, found?.reason, found?.result, found?.attempt], ['dead', 'it broke', '{"e":1}', 3]);
    assert.deepEqual(await claim(one), []);
  });

  contract('a failure that cannot be mended is not tried again', async (one) => {
    await one.enqueue(newJob({ retry }));
    const [job] = await claim(one);
    assert.deepEqual(await one.fail(holdOf(job), { ...end, retryable: false }), { state: 'dead' });
  });

  contract('a dead job can be tried once more, from the first attempt', async (one, other) => {
    const { id } = queued(await one.enqueue(newJob({ retry: { ...retry, limit: 0 } })));
    const [job] = await claim(one);
    await one.fail(holdOf(job), end);
    assert.equal(await other.retry(id), 'queued');
    assert.equal(await other.retry(id), 'active');
    const [next] = await claim(one);
    assert.deepEqual([next?.id, next?.attempt, next?.endedAt], [id, 1, undefined]);
    await one.complete(holdOf(next), { result: '{}' });
    assert.equal(await other.retry(id), 'done');
    assert.equal(await other.retry('nothing'), 'unknown');
  });

  contract('a job tried again with a delay waits for whoever asks for it by name', async (one, other) => {
    const { id } = queued(await one.enqueue(newJob({ retry: { ...retry, limit: 0 } })));
    const [job] = await claim(one);
    await one.suspend(holdOf(job), end);
    assert.equal(await other.retry(id, 60_000), 'queued');
    assert.deepEqual(await claim(one), []);
    const [mine] = await claim(other, { only: id });
    assert.deepEqual([mine?.id, mine?.attempt], [id, 1]);
  });
}

function steering(contract: Contract): void {
  contract('a queued job is cancelled at once', async (one, other) => {
    const { id } = queued(await one.enqueue(newJob()));
    assert.equal(await other.cancel(id), 'cancelled');
    assert.equal(await other.cancel(id), 'ended');
    assert.equal(await other.cancel('nothing'), 'unknown');
    assert.deepEqual(await claim(one), []);
    const found = await one.find(id);
    assert.deepEqual([found?.state, found?.reason], ['cancelled', 'cancelled']);
  });

  contract('the worker of a running job learns at its next beat that it is cancelled', async (one, other) => {
    const { id } = queued(await one.enqueue(newJob()));
    const [job] = await claim(one);
    assert.equal(await other.cancel(id), 'cancelling');
    assert.equal((await other.find(id))?.state, 'running');
    assert.deepEqual(await one.renew([holdOf(job), { id: 'nothing', fence: 1 }], LONG_MS), ['cancelled', 'lost']);
    const failed = await one.fail(holdOf(job), { result: '{}', reason: 'stopped', retryable: true });
    assert.deepEqual(failed, { state: 'cancelled' });
    assert.equal((await other.find(id))?.state, 'cancelled');
    assert.equal(await other.retry(id), 'queued');
    assert.equal((await one.renew([holdOf(job)], LONG_MS))[0], 'lost');
    assert.equal((await claim(one)).length, 1);
  });

  contract('a job cancelled under a worker that went silent is not handed out again', async (one, other) => {
    const { id } = queued(await one.enqueue(newJob()));
    await claim(one, { leaseMs: SHORT_MS });
    await other.cancel(id);
    await until(async () => {
      assert.deepEqual(await claim(other), []);
      const found = await one.find(id);
      return found?.state === 'cancelled' ? [found] : [];
    });
  });
}

function lanes(contract: Contract): void {
  contract('of one lane one job runs at a time, of others any number', async (one, other) => {
    for (const lane of ['a', 'a', 'b', undefined, undefined]) await one.enqueue(newJob(lane ? { lane } : {}));
    const jobs = await claim(one, { limit: 9 });
    assert.deepEqual(
      jobs.map(({ lane }) => lane),
      ['a', 'b', undefined, undefined],
    );
    assert.deepEqual(await claim(other, { limit: 9 }), []);
    await one.complete(holdOf(jobs[0]), { result: '{}' });
    assert.deepEqual(
      (await claim(other, { limit: 9 })).map(({ lane }) => lane),
      ['a'],
    );
  });

  contract('a job that skips a busy lane is kept as skipped', async (one, other) => {
    const next = newJob({ lane: 'a', skipIfBusy: true });
    queued(await one.enqueue(next));
    const skipped = await other.enqueue(next);
    assert.equal(skipped.state, 'skipped');
    const found = await one.find(skipped.id);
    assert.equal(found?.state, 'skipped');
    assert.match(found?.reason ?? '', /before/);
    const [job] = await claim(one);
    assert.equal((await other.enqueue(next)).state, 'skipped');
    await one.suspend(holdOf(job), { result: '{}', reason: 'asks' });
    assert.equal((await other.enqueue(next)).state, 'skipped', 'one that waits is busy');
    await one.cancel(job?.id ?? '');
    assert.equal((await other.enqueue(next)).state, 'queued');
  });
}

function looking(contract: Contract): void {
  contract('history is newest first, filtered and paged', async (one, other) => {
    const ids: string[] = [];
    for (let at = 0; at < 6; at++) {
      const schedule = at % 2 ? { schedule: 's' } : {};
      ids.push(queued(await one.enqueue(newJob({ role: at < 3 ? 'a' : 'b', ...schedule }))).id);
    }
    const positions = async (filter: Parameters<Queue['history']>[0]) =>
      (await other.history(filter)).map(({ id }) => ids.indexOf(id));
    assert.deepEqual(await positions({}), [5, 4, 3, 2, 1, 0]);
    assert.deepEqual(await positions({ role: 'a' }), [2, 1, 0]);
    assert.deepEqual(await positions({ schedule: 's' }), [5, 3, 1]);
    assert.deepEqual(await positions({ schedule: 's', role: 'b', limit: 1 }), [5]);
    assert.deepEqual(await positions({ before: ids[3] ?? '', limit: 2 }), [2, 1]);
    await claim(one, { limit: 2 });
    assert.deepEqual(await positions({ states: ['running'] }), [1, 0]);
    assert.deepEqual(await positions({ states: ['queued', 'running'], limit: 3 }), [5, 4, 3]);
  });

  contract('stats count every state and name the age of the oldest due job', async (one, other) => {
    await one.enqueue(newJob({ delayMs: LONG_MS }));
    assert.equal((await other.stats()).oldestDueMs, 0);
    for (let at = 0; at < 4; at++) await one.enqueue(newJob());
    const [done, dead] = await claim(one, { limit: 2 });
    await one.complete(holdOf(done), { result: '{}' });
    await one.fail(holdOf(dead), { result: '{}', reason: '', retryable: false });
    await claim(one);
    await sleep(20);
    const { counts, oldestDueMs, paused } = await other.stats();
    assert.deepEqual(counts, { queued: 2, running: 1, done: 1, dead: 1, cancelled: 0, waiting: 0, skipped: 0 });
    assert.ok(oldestDueMs >= 15 && oldestDueMs < LONG_MS, `${oldestDueMs}`);
    assert.equal(paused, false);
  });

  contract('pruning forgets what ended long ago, but not the last of a schedule', async (one, other) => {
    const ids: string[] = [];
    for (const schedule of ['s', 's', undefined]) {
      ids.push(queued(await one.enqueue(newJob(schedule ? { schedule } : {}))).id);
    }
    for (const job of await claim(one, { limit: 9 })) await one.complete(holdOf(job), { result: '{}' });
    const { id: active } = queued(await one.enqueue(newJob()));
    assert.equal(await other.prune(LONG_MS), 0);
    await sleep(20);
    assert.equal(await other.prune(1), 2);
    assert.deepEqual(
      (await one.history({})).map(({ id }) => id),
      [active, ids[1]],
    );
  });

  contract('workers say that they are there, and that they leave', async (one, other) => {
    const worker = { id: 'w', host: 'h', pid: 7, labels: ['gpu'], capacity: 2, running: 1, startedAt: 5 };
    await one.seen({ ...worker, running: 0 });
    await one.seen(worker);
    const [seen, ...more] = await other.workers();
    assert.deepEqual(more, []);
    const { seenAt, ...rest } = seen ?? { seenAt: 0 };
    assert.deepEqual(rest, worker);
    assert.ok(Math.abs(seenAt - Date.now()) < LONG_MS);
    await one.seen({ ...worker, digests: ['d1', 'd2'] });
    assert.deepEqual((await other.workers())[0]?.digests, ['d1', 'd2']);
    await other.leave('w');
    await other.leave('w');
    assert.deepEqual(await one.workers(), []);
  });

  contract('what queued jobs need is told once for all that need the same', async (one, other) => {
    assert.deepEqual(await other.needs(), []);
    const wanted = [
      { digest: 'd' },
      { digest: 'd' },
      { digest: 'd', labels: ['gpu'] },
      {},
      { labels: ['gpu'], delayMs: 9_000 },
    ];
    for (const need of wanted) await one.enqueue(newJob(need));
    const needs = (await other.needs()).map(({ digest, labels, jobs }) => [digest, labels?.join(), jobs].join(' '));
    assert.deepEqual(needs.sort(), ['  1', ' gpu 1', 'd  2', 'd gpu 1']);
    for (const { id } of await claim(one, { limit: 9, labels: ['gpu'] })) await one.cancel(id);
    assert.deepEqual(await other.needs(), [{ labels: ['gpu'], jobs: 1 }]);
  });
}

function waiting(contract: Contract): void {
  const signal = new AbortController().signal;

  contract('whoever waits hears of a new job, a freed lane, one tried again and one given back', async (one, other) => {
    const heard = async (cause: () => Promise<unknown>) => {
      const before = await claim(one, { limit: 9 });
      const wait = one.waitForWork(LONG_MS, signal);
      await cause();
      await wait;
      return before;
    };
    await heard(async () => other.enqueue(newJob({ lane: 'a' })));
    const [first] = await claim(other);
    await other.enqueue(newJob({ lane: 'a' }));
    assert.deepEqual(await heard(async () => other.complete(holdOf(first), { result: '{}' })), []);
    const [second] = await claim(other);
    assert.deepEqual(await heard(async () => other.release(holdOf(second))), []);
    const [third] = await claim(other);
    await other.fail(holdOf(third), { result: '{}', reason: '', retryable: false });
    assert.deepEqual(await heard(async () => other.retry(third?.id ?? '')), []);
    assert.equal((await claim(one)).length, 1);
  });

  contract('whoever waits hears when a delayed job is due, and when a worker went silent', async (one, other) => {
    await other.enqueue(newJob({ delayMs: SHORT_MS }));
    const [late] = await untilWork(one);
    assert.equal(late?.attempt, 1);
    await one.release(holdOf(late));
    await until(() => claim(other, { leaseMs: SHORT_MS }));
    const [again] = await untilWork(one);
    assert.equal(again?.attempt, 2);
  });

  contract('a job nobody here can run does not keep anybody busy', async (one, other) => {
    await other.enqueue(newJob({ labels: ['elsewhere'] }));
    await claim(one);
    const started = performance.now();
    await one.waitForWork(300, signal);
    assert.ok(performance.now() - started >= 290);
  });

  contract('waiting ends when it is told to', async (one) => {
    await claim(one);
    const stop = new AbortController();
    const wait = one.waitForWork(LONG_MS, stop.signal);
    stop.abort();
    await wait;
    await one.waitForWork(LONG_MS, stop.signal);
  });
}

function scheduling(contract: Contract): void {
  const begin = { id: 'a/daily', written: 'v1', digest: 'd1', plannedTo: 1000 };

  contract('a schedule begins once, and anew when it is written differently', async (one, other) => {
    const state = { ...begin, state: 'active' as const };
    assert.deepEqual(await one.schedules.open(begin), state);
    assert.deepEqual(await other.schedules.open({ ...begin, digest: 'd2', plannedTo: 2000 }), state);
    await one.schedules.stop('a/daily', 'changed');
    assert.deepEqual(await other.schedules.open(begin), { ...state, state: 'stopped', reason: 'changed' });
    const next = { ...begin, written: 'v2', digest: 'd2', plannedTo: 3000 };
    assert.deepEqual(await other.schedules.open(next), { ...next, state: 'active' });
    assert.deepEqual(await one.schedules.all(), [{ ...next, state: 'active' }]);
  });

  contract('of several schedulers one plans, with all its jobs or none', async (one, other) => {
    await one.schedules.open(begin);
    const plans = await Promise.all(
      Array.from({ length: 10 }, async (_, at) =>
        (at % 2 ? one : other).schedules.plan('a/daily', 1000, 2000, [
          newJob({ key: 'k1', schedule: 'a/daily' }),
          newJob({ key: 'k2', schedule: 'a/daily' }),
        ]),
      ),
    );
    assert.equal(plans.filter(Boolean).length, 1);
    assert.equal((await other.history({})).length, 2);
    assert.equal((await one.schedules.all())[0]?.plannedTo, 2000);
    assert.equal(await one.schedules.plan('a/daily', 1000, 3000, [newJob()]), false);
    assert.equal((await other.history({})).length, 2);
  });

  contract('what is disabled or stopped does not plan, until it is enabled', async (one, other) => {
    await one.schedules.disable('a/daily', 'by hand');
    const opened = await other.schedules.open(begin);
    assert.deepEqual([opened.state, opened.reason], ['disabled', 'by hand']);
    assert.equal(await other.schedules.plan('a/daily', 1000, 2000, [newJob()]), false);
    await one.schedules.enable('a/daily', 'd9', 5000);
    const [state] = await other.schedules.all();
    assert.deepEqual(state, { ...begin, digest: 'd9', plannedTo: 5000, state: 'active' });
    await one.schedules.stop('a/daily', 'changed');
    assert.equal(await other.schedules.plan('a/daily', 5000, 6000, [newJob()]), false);
  });
}

function newJob(changes: Partial<NewJob> = {}): NewJob {
  const retry = { limit: 5, delayMs: 10, maxMs: 10 };
  return { role: 'role', target: 'role/skill action', payload: '{}', retry, timeoutMs: 60_000, ...changes };
}

function claim(queue: Queue, changes: Partial<ClaimWish> = {}): Promise<readonly ClaimedJob[]> {
  const wish = { worker: 'worker', tag: 'tag', leaseMs: LONG_MS, limit: 1, ...changes };
  return Promise.resolve(queue.claim(wish));
}

function queued(enqueued: Enqueued): Enqueued {
  assert.equal(enqueued.state, 'queued');
  return enqueued;
}

function holdOf(job: ClaimedJob | undefined) {
  assert.ok(job);
  return { id: job.id, fence: job.fence };
}

/** Asks again until there is an answer. */
async function until<T>(ask: () => Promise<readonly T[]>): Promise<readonly T[]> {
  for (;;) {
    const found = await ask();
    if (found.length > 0) return found;
    await sleep(10);
  }
}

async function untilWork(queue: Queue): Promise<readonly ClaimedJob[]> {
  for (;;) {
    const jobs = await claim(queue);
    if (jobs.length > 0) return jobs;
    await queue.waitForWork(LONG_MS, new AbortController().signal);
  }
}
