// Single-flight between real processes on PostgreSQL: one execution for each key, and the same answer for all.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Answered, Asked, Logged, Setup } from '../../support/child/flight-child.ts';
import { newSchema } from '../../support/server/postgres-server.ts';
import { sharedPostgres } from '../../support/server/postgres-shared.ts';
import { count, repository, temporaryFolder } from '../../support/support.ts';

const PROCESSES = 4;

test('001-01 four processes on PostgreSQL: each key executes once, every caller gets the same result', async (t) => {
  const [keys, calls] = [count(50, 10), count(20, 5)];
  const group = await openGroup(t, { leaseMs: 5_000, windowMs: 600_000 });
  const answers = await Promise.all(
    group.members.flatMap((ask) =>
      Array.from({ length: keys * calls }, (_, at) =>
        ask({ key: `key ${at % keys}`, delayMs: Math.random() * 1_500, takesMs: Math.random() * 200 }),
      ),
    ),
  );
  assert.deepEqual(
    answers.filter(({ error }) => error !== undefined),
    [],
  );
  assert.equal(answers.length, PROCESSES * keys * calls);
  assert.equal(group.starts().length, keys);
  for (let key = 0; key < keys; key++) {
    const results = new Set(answers.filter((answer) => answer.key === `key ${key}`).map(({ result }) => result));
    assert.equal(results.size, 1, `key ${key}: ${[...results]}`);
  }
});

test('a leader on PostgreSQL that is killed is succeeded once, and all others get the result of its successor', async (t) => {
  // Short leases end under a successor that a busy machine lets wait.
  const group = await openGroup(t, { leaseMs: 4_000, windowMs: 600_000 });
  const [first, ...others] = group.members;
  void first?.({ key: 'k', delayMs: 0, takesMs: 60_000 });
  while (group.starts().length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  const waiting = others.map((ask) => ask({ key: 'k', delayMs: Math.random() * 50, takesMs: 10 }));
  group.kill(group.starts()[0]?.pid ?? 0);
  const answers = await Promise.all(waiting);
  assert.equal(group.starts().length, 2);
  assert.equal(new Set(answers.map(({ result }) => result)).size, 1);
});

async function openGroup(t: TestContext, times: Pick<Setup, 'leaseMs' | 'windowMs'>) {
  const { url } = await sharedPostgres();
  const folder = temporaryFolder(t);
  const log = path.join(folder, 'log');
  const server = { url, schema: newSchema() };
  const setup: Setup = { place: { home: folder, project: folder }, log, server, ...times };
  const children = await Promise.all(Array.from({ length: PROCESSES }, () => start(t, setup)));
  return {
    members: children.map(({ ask }) => ask),
    kill: (pid: number) => children.find((child) => child.pid === pid)?.kill(),
    starts: () => readLog(log).filter(({ what }) => what === 'start'),
  };
}

async function start(t: TestContext, setup: Setup) {
  const child = fork(path.join(repository, 'test/support/child/flight-child.ts'), [JSON.stringify(setup)]);
  t.after(() => child.kill('SIGKILL'));
  await once(child, 'message');
  const waiting = new Map<number, (answered: Answered) => void>();
  child.on('message', (answered: Answered) => waiting.get(answered.id)?.(answered));
  let asked = 0;
  return {
    pid: child.pid,
    kill: () => child.kill('SIGKILL'),
    ask(order: Omit<Asked, 'id'>): Promise<Answered> {
      const id = ++asked;
      const { promise, resolve } = Promise.withResolvers<Answered>();
      waiting.set(id, resolve);
      child.send({ ...order, id } satisfies Asked);
      return promise;
    },
  };
}

function readLog(log: string): Logged[] {
  if (!existsSync(log)) return [];
  // The last line may not be written whole yet.
  const lines = readFileSync(log, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Logged);
}
