// A worker in a process of its own: the work loop as it is, with a handler that only takes its time and says when it began.
import { setTimeout as sleep } from 'node:timers/promises';
import { workUntilStopped } from '../src/jobs/work-loop.ts';
import { openPgBossQueue } from '../src/store/postgres/queue.ts';

interface Order {
  readonly url: string;
  readonly schema: string;
  readonly handlerMs: number;
  readonly capacity: number;
}

const { url, schema, handlerMs, capacity }: Order = JSON.parse(process.argv[2] ?? '{}');
const queue = await openPgBossQueue({ url, schema });
const stop = new AbortController();
process.on('disconnect', () => stop.abort());
process.send?.('ready');
await workUntilStopped(
  {
    queue,
    worker: `bench-${process.pid}`,
    leaseMs: 10_000,
    async execute() {
      if (process.connected) process.send?.({ at: performance.timeOrigin + performance.now() });
      await sleep(handlerMs);
      return { kind: 'done', result: '{}' };
    },
    endProcesses: async () => true,
    log: () => {},
  },
  { capacity },
  { stop: stop.signal, abort: stop.signal, drainMs: 1_000 },
);
await queue.close();
process.exit();
