// One of several schedulers, each with a clock of its own that runs fast and unevenly; started by queue-schedulers.test.ts.
import type { Schedule } from '../../../src/jobs/schedule.ts';
import { createScheduler } from '../../../src/jobs/scheduler.ts';
import { openQueue } from '../../../src/store/sqlite/queue.ts';

export interface SchedulersOrder {
  readonly place: { readonly home: string; readonly project: string };
  readonly schedules: readonly Schedule[];
  readonly from: number;
  readonly to: number;
}

if (process.argv[2] !== undefined) {
  const order: SchedulersOrder = JSON.parse(process.argv[2]);
  process.once('message', async () => {
    const planned = await runThrough(order);
    process.send?.(planned, () => process.disconnect());
  });
  process.send?.('ready');
}

/** Returns how many moments it planned. */
async function runThrough({ place, schedules, from, to }: SchedulersOrder): Promise<number> {
  const queue = openQueue(place);
  let planned = 0;
  let now = from;
  const scheduler = createScheduler({
    queue,
    clock: { now: () => now },
    schedules: async () => schedules,
    digestOf: async () => 'digest',
    toJob: (one, moment) => ({
      role: one.role,
      target: one.id,
      payload: `${moment}`,
      retry: one.retry,
      timeoutMs: 1_000,
    }),
    log: (event) => {
      if (event.event === 'planned') planned += event.moments.length;
      else throw new Error(JSON.stringify(event));
    },
  });
  while (now < to) {
    now = Math.min(to, now + Math.floor(Math.random() ** 2 * 36 * 3_600_000));
    // Again while another one was faster.
    while ((await scheduler.tick(now)) <= now);
  }
  queue.close();
  return planned;
}
