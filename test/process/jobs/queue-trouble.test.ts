// A locked database and a full disk: what is said, what is kept, and that it goes on afterwards.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '../../../src/base/errors.ts';
import { stateFile } from '../../../src/store/location.ts';
import { openQueue } from '../../../src/store/sqlite/queue.ts';
import type { FullReport } from '../../support/child/queue-full-child.ts';
import { count, repository, temporaryFolder } from '../../support/support.ts';

const LOCKED_MS = count(10_000, 1_500);
const job = { role: 'r', target: 't', payload: '{}', retry: { limit: 1, delayMs: 1, maxMs: 1 }, timeoutMs: 1_000 };
const wish = { worker: 'w', tag: 't', leaseMs: 600_000, limit: 1 };

test('a database locked by another process is waited for; nothing else stands still meanwhile', async (t) => {
  const place = placeIn(t);
  const queue = openQueue(place);
  t.after(() => queue.close());
  await queue.enqueue(job);
  const [held] = await queue.claim(wish);
  assert.ok(held);
  const unlock = await lock(t, place);
  let beats = 0;
  const heart = setInterval(() => beats++, 10);
  const work = Promise.all([
    queue.enqueue({ ...job, key: 'k' }),
    queue.renew([held], 600_000),
    queue.complete(held, { result: '{}' }),
    queue.schedules.open({ id: 's', written: 'w', digest: '', plannedTo: 0 }),
  ]);
  assert.equal((await queue.find(held.id))?.state, 'running', 'reading does not wait');
  const until = Date.now() + LOCKED_MS;
  // A thread that waited for the lock itself would beat no more, and give up before it is free.
  while (Date.now() < until || beats <= 5) await sleep(10);
  unlock();
  const [enqueued, renewed, isDone] = await work;
  clearInterval(heart);
  assert.deepEqual([enqueued.state, isDone], ['queued', true]);
  assert.ok(['held', 'lost'].includes(renewed[0] ?? ''));
  assert.equal((await queue.claim(wish)).length, 1);
});

test('a database that stays locked is a typed failure, and usable again afterwards', async (t) => {
  const place = placeIn(t);
  const queue = openQueue(place, { patienceMs: 300 });
  t.after(() => queue.close());
  await queue.enqueue(job);
  const unlock = await lock(t, place);
  const isLocked = (error: unknown) =>
    error instanceof Fault && error.type === 'StateUnusable' && /locked/.test(error.message);
  await assert.rejects(async () => queue.enqueue(job), isLocked);
  await assert.rejects(async () => queue.claim(wish), isLocked);
  await assert.rejects(async () => queue.schedules.plan('s', 0, 1, []), isLocked);
  unlock();
  await sleep(50);
  assert.equal((await queue.claim(wish)).length, 1);
  assert.equal((await queue.enqueue(job)).state, 'queued');
  assert.equal((await queue.stats()).counts.queued, 1);
});

test('a full disk is a typed failure; nothing acknowledged is lost, and with room again it goes on', async (t) => {
  const folder = path.join(temporaryFolder(t), 'small');
  mkdirSync(folder);
  // In a mount namespace of its own: nobody else sees it, and it is gone with the process.
  const flags = process.geteuid?.() === 0 ? '-m' : '-rm';
  const script = 'mount -t tmpfs -o size=2m tmpfs "$1" || exit 77; exec "$2" "$3" "$1"';
  const program = path.join(repository, 'test/support/child/queue-full-child.ts');
  const child = spawn('unshare', [flags, 'sh', '-c', script, 'sh', folder, process.execPath, program], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // No such program.
  const exit = once(child, 'close').catch(() => [77]);
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
  if (code === 77 || /^(unshare|mount):/m.test(errors)) {
    t.diagnostic(`not run: no small file system can be mounted here (${errors.trim()})`);
    return;
  }
  assert.equal(code, 0, errors);
  const report = JSON.parse(output) as FullReport;
  const { find, open, ...writing } = report.faults;
  assert.deepEqual(writing, { enqueue: 'LIMIT_DISK', complete: 'LIMIT_DISK', fail: 'LIMIT_DISK' });
  assert.equal(find, '', 'reading goes on');
  assert.equal(open, '');
  assert.equal(report.later[0], 'completed', 'the hold was not lost');
  assert.deepEqual(report.kept.toSorted(), report.acknowledged.toSorted());
  assert.deepEqual(report.damage, []);
});

/** Another process holds it until it is told not to. */
async function lock(t: TestContext, place: { home: string; project: string }): Promise<() => void> {
  const program = `
    const { DatabaseSync } = require('node:sqlite');
    const database = new DatabaseSync(process.argv[1]);
    database.exec('BEGIN EXCLUSIVE');
    process.send('locked');
    process.on('message', () => { database.exec('ROLLBACK'); process.disconnect(); });`;
  const child = spawn(process.execPath, ['--no-warnings', '-e', program, stateFile(place)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  t.after(() => child.kill('SIGKILL'));
  await once(child, 'message');
  return () => void child.send('unlock');
}

function placeIn(t: TestContext) {
  const folder = temporaryFolder(t);
  return { home: folder, project: folder };
}
