// `jobs workers`: who is there, and who was not heard of for a while; what waits for files that nobody has.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openQueue } from '../../../src/store/sqlite/queue.ts';
import { home } from '../../support/door-support.ts';
import { addJob, cli, makeRole, outcomeOf } from '../../support/jobs-support.ts';

test('jobs workers tells who is alive from who went silent', async (t) => {
  const project = makeRole(t);
  const none = await outcomeOf(project, ['jobs', 'workers']);
  assert.deepEqual([none.summary, none.data.workers], ['0 workers alive', []]);
  const worker = { host: 'h', pid: 7, labels: ['gpu'], capacity: 2, running: 1, startedAt: 5 };
  for (const [id, now] of [
    ['silent', Date.now() - 60_000],
    ['alive', Date.now()],
  ] as const) {
    const queue = openQueue({ home, project }, { clock: { now: () => now } });
    await queue.seen({ ...worker, id });
    queue.close();
  }
  const both = await outcomeOf(project, ['jobs', 'workers']);
  const seen = (both.data.workers as { id: string; alive: boolean }[]).map(({ id, alive }) => [id, alive]);
  assert.deepEqual(Object.fromEntries(seen), { alive: true, silent: false });
  assert.equal(both.data.alive, 1);
  assert.match((await cli(project, ['jobs', 'workers'])).stdout, /silent[\s\S]*gpu|gpu[\s\S]*silent/);
});

test('jobs enable forgets what its schedule had queued for other files, which nobody may have any more', async (t) => {
  const project = makeRole(t, 'schedule:\n  - {id: often, interval: 1h, skill: echo, action: report}\n');
  const queue = openQueue({ home, project });
  t.after(() => queue.close());
  const old = await addJob(queue, { schedule: 'watcher/often', lane: 'schedule:watcher/often', digest: 'old' });
  const other = await addJob(queue, { digest: 'old' });
  assert.equal((await outcomeOf(project, ['jobs', 'enable', 'watcher/often'])).state, 'success');
  const states = await Promise.all([old, other].map(async (id) => (await queue.find(id))?.state));
  assert.deepEqual(states, ['cancelled', 'queued']);
});
