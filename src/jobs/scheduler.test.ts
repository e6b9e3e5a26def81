import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../test/support/support.ts';
import type { Job, Queue } from '../store/queue.ts';
import { openQueue } from '../store/sqlite/queue.ts';
import type { Schedule } from './schedule.ts';
import { createScheduler, type SchedulerEvent, type SchedulerParts } from './scheduler.ts';

const START = Date.parse('2026-11-15T09:00:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test('a moment becomes one job when it has come, and the next wake time is the next moment', async (t) => {
  const { scheduler, occurrences, jobs } = await openScheduler(t, [schedule({ when: every(MINUTE) })]);
  assert.equal(await scheduler.tick(START + 1), START + MINUTE);
  assert.deepEqual(await occurrences(), []);
  assert.equal(await scheduler.tick(START + MINUTE), START + 2 * MINUTE);
  await scheduler.tick(START + MINUTE);
  await scheduler.tick(START + MINUTE + 500);
  assert.deepEqual(await occurrences(), [START + MINUTE]);
  const [job] = await jobs();
  assert.deepEqual(
    [job?.key, job?.schedule, job?.lane, job?.digest, job?.retry.limit],
    [`occurrence:r/s:${START + MINUTE}`, 'r/s', 'schedule:r/s', 'd1', 7],
  );
});

test('what was missed: none, one for all, or the newest up to the limit', async (t) => {
  const down = [START + 2 * HOUR, START + 3 * HOUR, START + 4 * HOUR];
  const cases = [
    [{ mode: 'skip', limit: 100 }, []],
    [{ mode: 'once', limit: 100 }, down.slice(-1)],
    [{ mode: 'all', limit: 100 }, down],
    [{ mode: 'all', limit: 2 }, down.slice(-2)],
  ] as const;
  for (const [misfire, expected] of cases) {
    const one = schedule({ when: every(HOUR), misfire, overlap: 'parallel' });
    const { scheduler, occurrences } = await openScheduler(t, [one]);
    await scheduler.tick(START + HOUR);
    await scheduler.tick(START + HOUR);
    const first = await occurrences();
    await scheduler.tick(START + 4 * HOUR + 30 * MINUTE);
    assert.deepEqual((await occurrences()).slice(first.length), expected, JSON.stringify(misfire));
    await scheduler.tick(START + 5 * HOUR);
    assert.equal((await occurrences()).at(-1), START + 5 * HOUR);
  }
});

test('one run stands for what was missed and for what is due at the same time', async (t) => {
  const one = schedule({ when: every(MINUTE), misfire: { mode: 'once', limit: 1 }, overlap: 'parallel' });
  const { scheduler, occurrences } = await openScheduler(t, [one]);
  await scheduler.tick(START);
  await scheduler.tick(START + HOUR);
  assert.deepEqual(await occurrences(), [START + HOUR]);
});

test('a time of downtime with thousands of moments is planned within the limit', async (t) => {
  const one = schedule({ when: { kind: 'cron', pattern: '* * * * * *' }, misfire: { mode: 'all', limit: 20 } });
  const { scheduler, occurrences } = await openScheduler(t, [{ ...one, overlap: 'parallel' }], { graceMs: 1 });
  await scheduler.tick(START);
  await scheduler.tick(START + 300 * 24 * HOUR);
  assert.equal((await occurrences()).length, 21);
});

test('overlap: skip keeps the second as skipped, queue lets it wait, parallel runs both', async (t) => {
  const states = { skip: ['queued', 'skipped'], queue: ['queued', 'queued'], parallel: ['queued', 'queued'] } as const;
  const claimable = { skip: 1, queue: 1, parallel: 2 };
  for (const overlap of ['skip', 'queue', 'parallel'] as const) {
    const { scheduler, jobs, queue } = await openScheduler(t, [schedule({ when: every(MINUTE), overlap })]);
    for (const minutes of [0, 1, 2]) await scheduler.tick(START + minutes * MINUTE);
    assert.deepEqual(
      (await jobs()).map(({ state }) => state),
      states[overlap],
      overlap,
    );
    const claimed = await queue.claim({ worker: 'w', tag: 't', leaseMs: 60_000, limit: 9 });
    assert.equal(claimed.length, claimable[overlap], overlap);
  }
});

test('jitter moves a run by chance, the same for every scheduler, within its bound', async (t) => {
  const one = schedule({ when: every(MINUTE), jitterMs: 30_000, overlap: 'parallel' });
  const delays = async () => {
    const { scheduler, jobs, setNow } = await openScheduler(t, [one]);
    await scheduler.tick(START);
    for (let minute = 1; minute <= 8; minute++) {
      setNow(START + minute * MINUTE);
      await scheduler.tick(START + minute * MINUTE);
    }
    return (await jobs()).map(({ dueAt, occurrence }) => dueAt - (occurrence ?? 0));
  };
  const [first, second] = [await delays(), await delays()];
  assert.deepEqual(first, second);
  assert.ok(first.every((delay) => delay >= 0 && delay <= 30_000));
  assert.ok(new Set(first).size > 4, String(first));
});

test('changed files stop a pinned schedule, with a reason, until it is enabled again', async (t) => {
  const { scheduler, occurrences, queue, files, log } = await openScheduler(t, [schedule({ when: every(MINUTE) })]);
  await scheduler.tick(START);
  files.digest = 'd2';
  await scheduler.tick(START + MINUTE);
  await scheduler.tick(START + 2 * MINUTE);
  assert.deepEqual(await occurrences(), []);
  const [state] = await queue.schedules.all();
  assert.equal(state?.state, 'stopped');
  assert.match(state?.reason ?? '', /changed/);
  assert.deepEqual(
    log.map(({ event }) => event),
    ['stopped'],
  );
  await queue.schedules.enable('r/s', 'd2', START + 2 * MINUTE);
  await scheduler.tick(START + 3 * MINUTE);
  assert.deepEqual(await occurrences(), [START + 3 * MINUTE]);
});

test('changed files do not stop a schedule whose files another machine has: its jobs stay pinned to those', async (t) => {
  const elsewhere = new Set(['d1']);
  const hasElsewhere = async (digest: string) => elsewhere.has(digest);
  const { scheduler, jobs, queue, files } = await openScheduler(t, [schedule({ when: every(MINUTE) })], {
    hasElsewhere,
  });
  await scheduler.tick(START);
  files.digest = 'd2';
  await scheduler.tick(START + MINUTE);
  assert.deepEqual(
    (await jobs()).map(({ digest }) => digest),
    ['d1'],
  );
  elsewhere.clear();
  await scheduler.tick(START + 2 * MINUTE);
  assert.equal((await queue.schedules.all())[0]?.state, 'stopped');
});

test('changed files do not stop one that follows the latest', async (t) => {
  const one = schedule({ when: every(MINUTE), follow: 'latest' });
  const { scheduler, jobs, files } = await openScheduler(t, [one]);
  await scheduler.tick(START);
  files.digest = 'd2';
  await scheduler.tick(START + MINUTE);
  assert.deepEqual(
    (await jobs()).map(({ digest, payload }) => [digest, payload]),
    [[undefined, 'd2']],
  );
});

test('files that cannot be read: nothing begins, and it is said once', async (t) => {
  const { scheduler, queue, files, log } = await openScheduler(t, [schedule({ when: every(MINUTE) })]);
  files.digest = undefined;
  for (const minute of [0, 1, 2]) await scheduler.tick(START + minute * MINUTE);
  assert.deepEqual(await queue.schedules.all(), []);
  assert.equal(log.length, 1);
  files.digest = 'd1';
  await scheduler.tick(START + 3 * MINUTE);
  assert.equal((await queue.schedules.all()).length, 1);
});

test('live changes: another time, switched off, switched on, disabled by hand, gone', async (t) => {
  const { scheduler, occurrences, queue, list } = await openScheduler(t, [schedule({ when: every(HOUR) })]);
  await scheduler.tick(START);
  list.value = [schedule({ when: every(MINUTE), written: 'v2' })];
  await scheduler.tick(START + MINUTE);
  assert.deepEqual(await occurrences(), [START + MINUTE], 'what changed since the last look counts');
  list.value = [schedule({ when: every(MINUTE), written: 'v3', enabled: false })];
  await scheduler.tick(START + 2 * MINUTE);
  await scheduler.tick(START + 9 * MINUTE);
  list.value = [schedule({ when: every(MINUTE), written: 'v2', overlap: 'parallel' })];
  await scheduler.tick(START + 10 * MINUTE);
  assert.deepEqual((await occurrences()).slice(1), [START + 10 * MINUTE], 'the time it was off was not missed');
  await queue.schedules.disable('r/s', 'by hand');
  await scheduler.tick(START + 11 * MINUTE);
  list.value = [];
  await scheduler.tick(START + 12 * MINUTE);
  assert.equal((await occurrences()).length, 2);
});

test('one schedule that fails does not hold up the others', async (t) => {
  const broken = schedule({ id: 'r/broken', when: { kind: 'cron', pattern: 'nonsense' } });
  const { scheduler, occurrences, log } = await openScheduler(t, [broken, schedule({ when: every(MINUTE) })]);
  await scheduler.tick(START);
  await scheduler.tick(START + MINUTE);
  assert.deepEqual(await occurrences(), [START + MINUTE]);
  assert.deepEqual(
    log.filter(({ event }) => event === 'failed').map((event) => event.schedule),
    ['r/broken'],
  );
});

test('it runs until it is told to stop, and plans what comes meanwhile', async (t) => {
  const one = schedule({ when: { kind: 'every', ms: 20 }, overlap: 'parallel' });
  const { queue, parts, jobs } = await openScheduler(t, [one]);
  const stop = new AbortController();
  const running = createScheduler({ ...parts, clock: { now: () => Date.now() } }).run(stop.signal);
  while ((await jobs()).length < 5) await queue.waitForWork(50, stop.signal);
  stop.abort();
  await running;
  const moments = (await jobs()).map(({ occurrence = 0 }) => occurrence);
  assert.deepEqual(
    moments.map((moment, at) => moment - 20 * at),
    moments.map(() => moments[0]),
    'none left out, none twice',
  );
});

function schedule(changes: Partial<Schedule> = {}): Schedule {
  return {
    id: 'r/s',
    role: 'r',
    when: every(HOUR),
    timezone: 'UTC',
    target: { skill: 's', action: 'a', params: {} },
    enabled: true,
    retry: { limit: 7, delayMs: 1, maxMs: 1 },
    overlap: 'skip',
    misfire: { mode: 'once', limit: 100 },
    jitterMs: 0,
    follow: 'pinned',
    written: 'v1',
    ...changes,
  };
}

function every(ms: number): Schedule['when'] {
  return { kind: 'every', ms };
}

async function openScheduler(
  t: TestContext,
  schedules: readonly Schedule[],
  options: Pick<SchedulerParts, 'graceMs' | 'hasElsewhere'> = {},
) {
  const folder = temporaryFolder(t);
  let now = START;
  const queue: Queue = openQueue({ home: folder, project: folder }, { clock: { now: () => now } });
  t.after(() => queue.close());
  const files: { digest: string | undefined } = { digest: 'd1' };
  const list = { value: schedules };
  const log: SchedulerEvent[] = [];
  const parts: Parameters<typeof createScheduler>[0] = {
    queue,
    clock: { now: () => now },
    schedules: async () => list.value,
    digestOf: async () => files.digest,
    toJob: (one, _occurrence, digest) => ({
      role: one.role,
      target: one.id,
      payload: digest ?? '',
      retry: { limit: 0, delayMs: 0, maxMs: 0 },
      timeoutMs: 1_000,
    }),
    log: (event) => void (event.event === 'planned' || log.push(event)),
    ...options,
  };
  const jobs = async (): Promise<readonly Job[]> => (await queue.history({ limit: 10_000 })).toReversed();
  return {
    queue,
    files,
    list,
    log,
    parts,
    jobs,
    scheduler: createScheduler(parts),
    occurrences: async () => (await jobs()).map(({ occurrence }) => occurrence),
    setNow: (to: number) => {
      now = to;
    },
  };
}
