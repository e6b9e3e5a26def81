// A worker or a scheduler on a queue that others share, to be killed at any time; driven by queue-kill.test.ts.
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Schedule } from '../../../src/jobs/schedule.ts';
import { createScheduler } from '../../../src/jobs/scheduler.ts';
import type { ClaimedJob, Queue } from '../../../src/store/queue.ts';
import { openQueue } from '../../../src/store/sqlite/queue.ts';

export interface Order {
  readonly place: { readonly home: string; readonly project: string };
  readonly ledger: string;
  readonly leaseMs: number;
  readonly schedule?: Schedule;
}

const RETRY = { limit: 1_000, delayMs: 1, maxMs: 1 };
const never = new AbortController().signal;

if (process.argv[2] !== undefined) await work(JSON.parse(process.argv[2]));

async function work(order: Order): Promise<void> {
  process.on('disconnect', () => process.exit());
  const queue = openQueue(order.place);
  process.send?.('ready');
  if (order.schedule) await planUntilKilled(queue, order.schedule);
  else await workUntilKilled(queue, order);
}

async function planUntilKilled(queue: Queue, schedule: Schedule): Promise<void> {
  const scheduler = createScheduler({
    queue,
    clock: { now: () => Date.now() },
    schedules: async () => [schedule],
    digestOf: async () => undefined,
    toJob: (one, moment) => ({ role: one.role, target: one.id, payload: `${moment}`, retry: RETRY, timeoutMs: 1_000 }),
    log: () => {},
  });
  await scheduler.run(never);
}

async function workUntilKilled(queue: Queue, order: Order): Promise<void> {
  for (;;) {
    const wish = { worker: `${process.pid}`, tag: `${process.pid}`, leaseMs: order.leaseMs, limit: 1 };
    const [job] = await queue.claim(wish);
    if (job) await handle(queue, job, order);
    else await queue.waitForWork(1_000, never);
  }
}

/** One line before the work and one after it was acknowledged; each is written whole or not at all. */
async function handle(queue: Queue, job: ClaimedJob, { ledger, leaseMs }: Order): Promise<void> {
  const hold = { id: job.id, fence: job.fence };
  const beat = setInterval(() => void queue.renew([hold], leaseMs), leaseMs / 3);
  appendFileSync(ledger, `start ${job.id} ${job.fence} ${process.pid} ${Date.now()}\n`);
  await sleep(Math.random() * 30);
  const isOurs = await queue.complete(hold, { result: JSON.stringify({ fence: job.fence }) });
  clearInterval(beat);
  if (isOurs) appendFileSync(ledger, `done ${job.id} ${job.fence} ${process.pid} ${Date.now()}\n`);
}
