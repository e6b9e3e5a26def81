// Workers killed and stopped, their network cut, connections ended, the server restarted: nothing is lost, nothing is completed twice.
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPgBossQueue } from '../../../src/store/postgres/queue.ts';
import type { Job, Queue } from '../../../src/store/queue.ts';
import type { ChaosOrder } from '../../support/child/queue-postgres-child.ts';
import { type CutLine, openCutLine } from '../../support/server/cut-line.ts';
import { newSchema, type PostgresServer, startPostgres } from '../../support/server/postgres-server.ts';
import { count, repository, temporaryFolder } from '../../support/support.ts';

const JOBS = count(2_000, 60);
const WORKERS = 4;
const LEASE_MS = 1_000;
const RESTARTS = 2;

test('chaos on PostgreSQL: kills, stops, cut networks and restarts lose no job and complete none twice', async (t) => {
  const server = await startPostgres();
  t.after(() => server.stop());
  const schema = newSchema();
  const queue = await openPgBossQueue({ url: server.url, schema });
  t.after(() => queue.close());
  const ledger = path.join(temporaryFolder(t), 'ledger');
  const order = { schema, ledger, leaseMs: LEASE_MS, capacity: 4 };
  const networks = await Promise.all(Array.from({ length: WORKERS }, () => openCutLine(server.url)));
  t.after(() => networks.forEach((network) => void network.close()));

  const over = new AbortController();
  const suffered = { killed: 0, stopped: 0, cut: 0, silenced: 0, restarted: 0 };
  const shifts = networks.map(({ url }, at) => keepBusy(t, { ...order, url }, at, over.signal, suffered));
  const troubles = [trouble(server, over.signal, suffered), cutNetworks(networks, over.signal, suffered)];
  await enqueueAll(queue);
  // Which trouble comes is a matter of chance: it goes on until each has come.
  const isSpared = () => [suffered.killed, suffered.stopped, suffered.cut, suffered.silenced].includes(0);
  while ((await queue.stats()).counts.done < JOBS || suffered.restarted < (server.isOurs ? RESTARTS : 0) || isSpared())
    await sleep(100);
  over.abort();
  await Promise.all([...shifts, ...troubles]);

  const jobs = await queue.history({ limit: 2 * JOBS });
  assert.equal(jobs.length, JOBS);
  assert.deepEqual(new Set(jobs.map(({ state }) => state)), new Set(['done']));
  const lines = readLedger(ledger);
  for (const job of jobs) checkLife(job, lines.get(job.id) ?? []);
  assert.deepEqual(
    [...lines.keys()].filter((id) => !jobs.some((job) => job.id === id)),
    [],
  );
  t.diagnostic(`${JOBS} jobs; ${JSON.stringify(suffered)}`);
});

/** Spread over a while, so that trouble comes in between; each has a key, so that asking twice adds nothing. */
async function enqueueAll(queue: Queue): Promise<void> {
  for (let at = 0; at < JOBS; at++) {
    const retry = { limit: 1_000, delayMs: 1, maxMs: 1 };
    const job = { role: 'role', target: 'chaos', payload: `${at}`, key: `${at}`, retry, timeoutMs: 60_000 };
    assert.equal((await queue.enqueue(job)).state, 'queued');
    await sleep(1_500 / JOBS);
  }
}

type Suffered = Record<'killed' | 'stopped' | 'cut' | 'silenced' | 'restarted', number>;

/** One place of work; the last one is spared, so that there is always somebody to take over. */
async function keepBusy(t: TestContext, order: ChaosOrder, at: number, over: AbortSignal, suffered: Suffered) {
  while (!over.aborted) {
    const child = fork(path.join(repository, 'test/support/child/queue-postgres-child.ts'), [JSON.stringify(order)]);
    t.after(() => child.kill('SIGKILL'));
    const exited = once(child, 'exit');
    await Promise.race([once(child, 'message'), exited]);
    if (at === WORKERS - 1) await untilAborted(over);
    else await suffer(child, at, over, suffered);
    child.kill('SIGKILL');
    await exited;
  }
}

/** Stopped for longer than its lease and woken again, or only killed. */
async function suffer(child: ChildProcess, at: number, over: AbortSignal, suffered: Suffered): Promise<void> {
  await pause(300 + Math.random() * 900, over);
  if (over.aborted) return;
  if (at === 0) {
    child.kill('SIGSTOP');
    suffered.stopped++;
    await pause(1.5 * LEASE_MS, over);
    child.kill('SIGCONT');
    await pause(500, over);
  }
  suffered.killed++;
}

async function trouble(server: PostgresServer, over: AbortSignal, suffered: Suffered): Promise<void> {
  while (!over.aborted) {
    await pause(700, over);
    suffered.cut += await server.cutConnections();
    if (!server.isOurs || suffered.restarted >= RESTARTS) continue;
    await pause(700, over);
    await server.restart();
    suffered.restarted++;
  }
}

/** One worker after the other hears nothing for longer than its lease; what was on its way arrives late, or never. */
async function cutNetworks(networks: readonly CutLine[], over: AbortSignal, suffered: Suffered): Promise<void> {
  for (let at = 0; !over.aborted; at++) {
    const network = networks[at % (WORKERS - 1)];
    await pause(200 + Math.random() * 300, over);
    network?.silence();
    suffered.silenced++;
    await pause(1.5 * LEASE_MS, over);
    if (at % 2 === 0) network?.reset();
    network?.heal();
  }
}

interface Line {
  readonly what: string;
  readonly fence: number;
}

function readLedger(ledger: string): Map<string, Line[]> {
  const lines = new Map<string, Line[]>();
  for (const line of readFileSync(ledger, 'utf8').trimEnd().split('\n')) {
    const [what = '', id = '', fence] = line.split(' ');
    lines.set(id, [...(lines.get(id) ?? []), { what, fence: Number(fence) }]);
  }
  return lines;
}

/** The history names the fence that was begun, and nobody else was told that it completed the job. */
function checkLife(job: Job, lines: readonly Line[]): void {
  const { fence } = JSON.parse(job.result ?? '{}') as { fence: number };
  const started = lines.filter(({ what }) => what === 'start').map((line) => line.fence);
  const done = lines.filter(({ what }) => what === 'done').map((line) => line.fence);
  assert.ok(started.includes(fence), `${job.id}: ${JSON.stringify(lines)}`);
  assert.equal(new Set(started).size, started.length, 'no fence was given twice');
  // A worker killed between the answer and its note is told nothing; no other may be told it either.
  assert.ok(done.length <= 1 && done.every((one) => one === fence), `${job.id}: ${JSON.stringify(lines)}`);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
