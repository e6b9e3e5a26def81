// The worker on a real queue: leases, cancelling, draining, what a silent worker left behind, a store that fails for a while.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomId } from '../../../src/base/ids.ts';
import { runHere } from '../../../src/jobs/run-here.ts';
import { type WorkPace, workUntilStopped } from '../../../src/jobs/work-loop.ts';
import type { JobEnd, WorkerDeps, WorkPlace } from '../../../src/jobs/worker.ts';
import { killTagged, TAG_NAME } from '../../../src/process/kill-tree.ts';
import type { Queue } from '../../../src/store/queue.ts';
import { openQueue } from '../../../src/store/sqlite/queue.ts';
import { addJob } from '../../support/jobs-support.ts';
import { temporaryFolder } from '../../support/support.ts';

const LEASE_MS = 600;
const DONE: JobEnd = { kind: 'done', result: '{"state":"success"}' };

function open(t: TestContext): Queue {
  const folder = temporaryFolder(t);
  const queue = openQueue({ home: folder, project: folder });
  t.after(() => queue.close());
  return queue;
}

type WorkLoop = WorkerDeps & WorkPace;

function loopOf(queue: Queue, execute: WorkLoop['execute'], more: Partial<WorkLoop> = {}): WorkLoop {
  return {
    queue,
    worker: randomId(),
    leaseMs: LEASE_MS,
    capacity: 2,
    execute,
    endProcesses: async () => true,
    log: () => {},
    ...more,
  };
}

/** A worker in this process until the test lets it go. */
function work(loop: WorkLoop, drainMs = 10_000) {
  const stop = new AbortController();
  const abort = new AbortController();
  const ended = workUntilStopped(loop, loop, { stop: stop.signal, abort: abort.signal, drainMs });
  return { ended, stop: () => stop.abort(), abort: () => abort.abort() };
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(10);
}

const stateOf = async (queue: Queue, id: string) => (await queue.find(id))?.state;

/** Runs until it is told to end, and says so. */
function untilAborted(seen: string[]): WorkLoop['execute'] {
  return async (job, { signal }: WorkPlace) => {
    seen.push(`began ${job.id}`);
    if (!signal.aborted) await once(signal, 'abort');
    seen.push(`ended ${job.id}`);
    return { kind: 'failed', result: '{}', reason: 'aborted', retryable: true };
  };
}

test('jobs outlive many leases while their worker beats, and as many run at a time as it has room for', async (t) => {
  const queue = open(t);
  let most = 0;
  let running = 0;
  const loop = loopOf(queue, async () => {
    running++;
    most = Math.max(most, running);
    await sleep(3 * LEASE_MS);
    running--;
    return DONE;
  });
  const ids = await Promise.all([1, 2, 3].map(() => addJob(queue)));
  const worker = work(loop);
  await until(async () => (await queue.stats()).counts.done === ids.length);
  worker.stop();
  await worker.ended;
  const jobs = await Promise.all(ids.map((id) => queue.find(id)));
  assert.deepEqual([most, jobs.map((job) => job?.attempt)], [2, [1, 1, 1]]);
});

test('a cancelled job is ended, and stays cancelled', async (t) => {
  const queue = open(t);
  const seen: string[] = [];
  const id = await addJob(queue, { retry: { limit: 5, delayMs: 0, maxMs: 0 } });
  const worker = work(loopOf(queue, untilAborted(seen)));
  await until(() => seen.length === 1);
  assert.equal(await queue.cancel(id), 'cancelling');
  await until(async () => (await stateOf(queue, id)) === 'cancelled');
  assert.deepEqual(seen, [`began ${id}`, `ended ${id}`]);
  worker.stop();
  await worker.ended;
});

test('a worker that lost its lease ends its work, and its word does not count', async (t) => {
  const queue = open(t);
  const seen: string[] = [];
  const id = await addJob(queue, { retry: { limit: 5, delayMs: 0, maxMs: 0 } });
  // Its beats never arrive.
  const deaf: Queue = { ...queue, renew: () => Promise.reject(new Error('unreachable')) };
  const worker = work(loopOf(deaf, untilAborted(seen), { mayWork: () => seen.length === 0 }));
  await until(() => seen.includes(`ended ${id}`));
  worker.stop();
  await worker.ended;
  const other = work(loopOf(queue, async () => DONE));
  await until(async () => (await stateOf(queue, id)) === 'done');
  other.stop();
  await other.ended;
  assert.equal((await queue.find(id))?.attempt, 2);
});

test('asked to stop, a worker lets what runs end, takes nothing new, and gives the rest back untouched', async (t) => {
  const queue = open(t);
  const [quick, slow] = [await addJob(queue, { target: 'quick' }), await addJob(queue, { target: 'slow' })];
  const later = await addJob(queue);
  const seen: string[] = [];
  const forever = untilAborted(seen);
  const loop = loopOf(queue, async (job, place) => {
    if (job.target === 'slow') return forever(job, place);
    seen.push(`began ${job.id}`);
    await sleep(400);
    return DONE;
  });
  const worker = work(loop, 1_500);
  await until(() => seen.length === 2);
  worker.stop();
  await worker.ended;
  const jobs = await Promise.all([quick, slow, later].map((id) => queue.find(id)));
  assert.deepEqual(
    jobs.map((job) => [job?.state, job?.attempt]),
    [
      ['done', 1],
      ['queued', 0],
      ['queued', 0],
    ],
  );
});

test('what a silent worker left running is ended before the job is begun again', async (t) => {
  const queue = open(t);
  const id = await addJob(queue, { retry: { limit: 1, delayMs: 0, maxMs: 0 } });
  const tag = randomId();
  await queue.claim({ worker: 'gone', tag, leaseMs: 100, limit: 1 });
  const left = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { env: { [TAG_NAME]: tag } });
  t.after(() => left.kill('SIGKILL'));
  const gone = once(left, 'exit');
  let wasGone = false;
  const execute = async (): Promise<JobEnd> => {
    wasGone = left.exitCode !== null || left.signalCode !== null;
    return DONE;
  };
  const endProcesses = async (former: string) => {
    await killTagged(former);
    await gone;
    return true;
  };
  const worker = work(loopOf(queue, execute, { endProcesses }));
  await until(async () => (await stateOf(queue, id)) === 'done');
  worker.stop();
  await worker.ended;
  assert.equal(wasGone, true);
});

test('what a silent worker left of a cancelled job is ended, although nobody takes up the job again', async (t) => {
  const queue = open(t);
  const id = await addJob(queue);
  const tag = randomId();
  await queue.claim({ worker: 'gone', tag, leaseMs: 100, limit: 1 });
  await queue.cancel(id);
  const left = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { env: { [TAG_NAME]: tag } });
  t.after(() => left.kill('SIGKILL'));
  const gone = once(left, 'exit');
  const ran: string[] = [];
  let failures = 1;
  const endProcesses = async (former: string) => {
    if (failures-- > 0) throw new Error('not now');
    await killTagged(former);
    return true;
  };
  const execute = async ({ id: begun }: { id: string }) => {
    ran.push(begun);
    return DONE;
  };
  const worker = work(loopOf(queue, execute, { endProcesses }));
  await gone;
  await until(async () => (await queue.leftBehind()).length === 0);
  worker.stop();
  await worker.ended;
  assert.deepEqual([await stateOf(queue, id), ran], ['cancelled', []]);
});

test('a job whose files went away before it began is given back at no cost, and taken by whoever has them', async (t) => {
  const queue = open(t);
  const id = await addJob(queue, { digest: 'd1' });
  const has: { digests: readonly string[] } = { digests: ['d1'] };
  const digests = async () => has.digests;
  const edited = work(
    loopOf(
      queue,
      async () => {
        has.digests = ['d2'];
        return { kind: 'unfit', reason: 'edited' };
      },
      { digests },
    ),
  );
  await until(() => has.digests.includes('d2'));
  await until(async () => (await stateOf(queue, id)) === 'queued');
  const other = work(loopOf(queue, async () => DONE, { digests: async () => ['d1'] }));
  await until(async () => (await stateOf(queue, id)) === 'done');
  for (const worker of [edited, other]) {
    worker.stop();
    await worker.ended;
  }
  assert.equal((await queue.find(id))?.attempt, 1);
});

test('a worker without room ends what a silent one left, and gives its jobs back to the queue', async (t) => {
  const queue = open(t);
  const seen: string[] = [];
  const ended: string[] = [];
  const mine = await addJob(queue);
  const endProcesses = async (former: string) => ended.push(former) > 0;
  const worker = work(loopOf(queue, untilAborted(seen), { capacity: 1, endProcesses }), 0);
  await until(() => seen.includes(`began ${mine}`));
  const [cancelled, other] = [await addJob(queue), await addJob(queue, { retry: { limit: 1, delayMs: 0, maxMs: 0 } })];
  for (const only of [cancelled, other]) {
    await queue.claim({ worker: 'gone', tag: `of ${only}`, leaseMs: 100, limit: 1, only });
  }
  await queue.cancel(cancelled);
  await until(() => ended.length > 1);
  assert.deepEqual(ended.toSorted(), [cancelled, other].map((id) => `of ${id}`).toSorted());
  assert.deepEqual([await stateOf(queue, cancelled), await stateOf(queue, other)], ['cancelled', 'queued']);
  worker.stop();
  await worker.ended;
  assert.deepEqual(seen, [`began ${mine}`, `ended ${mine}`]);
});

test('a job with a head start is run by whoever queued it; where that one never comes, by any worker', async (t) => {
  const queue = open(t);
  const ran: string[] = [];
  const depsOf = (name: string) =>
    loopOf(queue, async ({ id }) => {
      ran.push(`${name} ${id}`);
      return DONE;
    });
  const worker = work(depsOf('worker'));
  const mine = await addJob(queue, { delayMs: 600_000 });
  const { signal } = new AbortController();
  assert.equal((await runHere(mine, depsOf('here'), signal)).state, 'done');
  const orphan = await addJob(queue, { delayMs: 300 });
  await until(async () => (await stateOf(queue, orphan)) === 'done');
  worker.stop();
  await worker.ended;
  assert.deepEqual(ran, [`here ${mine}`, `worker ${orphan}`]);
});

test('a result that cannot be stored at once is stored later, once', async (t) => {
  const queue = open(t);
  let refusals = 2;
  const full: Queue = {
    ...queue,
    complete: (hold, end) => {
      if (refusals-- > 0) throw new Error('disk full');
      return queue.complete(hold, end);
    },
  };
  const logged: string[] = [];
  const id = await addJob(queue);
  const worker = work(loopOf(full, async () => DONE, { log: (event) => logged.push(event) }));
  await until(async () => (await stateOf(queue, id)) === 'done');
  worker.stop();
  await worker.ended;
  assert.deepEqual(logged, ['job started', 'result not stored', 'result not stored', 'job done']);
});

test('one job can be run here without the others, and stopping cancels it', async (t) => {
  const queue = open(t);
  const [first, wanted] = [await addJob(queue), await addJob(queue)];
  const ran: string[] = [];
  const deps = loopOf(queue, async (job) => {
    ran.push(job.id);
    return DONE;
  });
  const signal = new AbortController().signal;
  assert.equal((await runHere(wanted, deps, signal)).state, 'done');
  assert.deepEqual([ran, await stateOf(queue, first), (await queue.find(first))?.attempt], [[wanted], 'queued', 0]);
  const stop = new AbortController();
  const seen: string[] = [];
  const running = runHere(first, { ...deps, execute: untilAborted(seen) }, stop.signal);
  await until(() => seen.length === 1);
  stop.abort();
  assert.equal((await running).state, 'cancelled');
});
