// What a lost database means: a typed failure for whoever asks, the end of its scripts for whoever works.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../../../src/base/errors.ts';
import { workOn } from '../../../src/jobs/work-loop.ts';
import { openPostgres } from '../../../src/store/postgres/database.ts';
import { migratePostgres } from '../../../src/store/postgres/migrate.ts';
import { openPgBossQueue } from '../../../src/store/postgres/queue.ts';
import { postgresSql, quoteName } from '../../../src/store/postgres/sql.ts';
import { lookAtPostgres } from '../../../src/store/postgres/status.ts';
import { postgresMigrations } from '../../../src/store/postgres/tables.ts';
import { newSchema } from '../../support/server/postgres-server.ts';
import { sharedPostgres } from '../../support/server/postgres-shared.ts';

const JOB = {
  role: 'r',
  target: 't',
  payload: '{}',
  retry: { limit: 9, delayMs: 1, maxMs: 1 },
  timeoutMs: 60_000,
};

test('a worker that lost the database stops its job at the end of the lease, and another takes it up', async (t) => {
  const server = await sharedPostgres();
  if (!server.isOurs) return t.diagnostic('not run: the server is not ours to stop');
  const place = { url: server.url, schema: newSchema() };
  const [queue, other] = [await openPgBossQueue(place, { patienceMs: 200 }), await openPgBossQueue(place)];
  t.after(() => Promise.all([queue.close(), other.close()]));
  await queue.enqueue(JOB);
  const wish = { worker: 'w', tag: 'first', leaseMs: 600, limit: 1 };
  const [job] = await queue.claim(wish);
  assert.ok(job);
  const stopped = Promise.withResolvers<void>();
  const deps = {
    queue,
    worker: 'w',
    leaseMs: wish.leaseMs,
    execute: async (_: unknown, { signal }: { readonly signal: AbortSignal }) => {
      signal.addEventListener('abort', () => stopped.resolve());
      await server.pause();
      await stopped.promise;
      return { kind: 'done', result: 'late' } as const;
    },
    endProcesses: async () => true,
    log: () => {},
  };
  assert.equal(await workOn(job, 'first', deps, new AbortController().signal), 'lost');
  await server.resume();
  const [again] = await other.claim({ ...wish, tag: 'second', leaseMs: 60_000 });
  assert.deepEqual([again?.id, again?.former, again?.attempt], [job.id, 'first', 2]);
  assert.equal(await queue.complete(job, { result: 'late' }), false);
});

test('a server that is not there is a typed failure that names it, and never the password', async () => {
  const url = 'postgres://someone:geheim@127.0.0.1:1/nothing';
  for (const ask of [
    () => lookAtPostgres({ url, schema: 'x' }),
    () => openPgBossQueue({ url, schema: 'x' }, { patienceMs: 50 }),
  ]) {
    await assert.rejects(ask, (error) => {
      assert.ok(error instanceof Fault);
      assert.equal(error.type, 'StateUnusable');
      assert.match(error.message, /127\.0\.0\.1:1\/nothing/);
      assert.ok(!JSON.stringify([error.message, error.detail, error.details, error.hint]).includes('geheim'));
      return true;
    });
  }
});

test('many that open an empty schema at once make it once', async (t) => {
  const server = await sharedPostgres();
  const place = { url: server.url, schema: newSchema() };
  const queues = await Promise.all(Array.from({ length: 6 }, () => openPgBossQueue(place)));
  t.after(() => Promise.all(queues.map((queue) => queue.close())));
  await Promise.all(queues.map((queue) => queue.enqueue(JOB)));
  assert.equal((await queues[0]?.stats())?.counts.queued, 6);
  const state = await lookAtPostgres(place);
  assert.equal(state.version, state.latest);
});

test('a newer program brings the schema up to date while an older one works on, once however many come', async (t) => {
  const server = await sharedPostgres();
  const place = { url: server.url, schema: newSchema() };
  const older = await openPgBossQueue(place);
  t.after(() => older.close());
  await older.enqueue(JOB);
  const [held] = await older.claim({ worker: 'w', tag: 'a', leaseMs: 60_000, limit: 1 });
  const known = postgresMigrations(place.schema);
  const next = Math.max(...known.map(({ version }) => version)) + 1;
  const column = `ALTER TABLE ${quoteName(place.schema)}.job ADD COLUMN later text NOT NULL DEFAULT ''`;
  const migrations = [...known, { version: next, sql: column }];
  const databases = await Promise.all(Array.from({ length: 4 }, () => openPostgres(server.url)));
  t.after(() => Promise.all(databases.map((database) => database.close())));
  const sql = postgresSql(place.schema);
  await Promise.all(databases.map((database) => migratePostgres(database, sql, migrations)));
  assert.equal((await lookAtPostgres(place)).version, next);
  assert.equal(await older.complete(held ?? { id: '', fence: 0 }, { result: '{}' }), true);
  await older.enqueue(JOB);
  assert.equal((await older.claim({ worker: 'w', tag: 'b', leaseMs: 60_000, limit: 1 })).length, 1);
});
