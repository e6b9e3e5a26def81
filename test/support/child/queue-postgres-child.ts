// A worker of the ordinary work loop on a shared PostgreSQL, to be killed and stopped at any time; driven by queue-postgres-chaos.test.ts.
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { workUntilStopped } from '../../../src/jobs/work-loop.ts';
import { openPgBossQueue } from '../../../src/store/postgres/queue.ts';

export interface ChaosOrder {
  readonly url: string;
  readonly schema: string;
  readonly ledger: string;
  readonly leaseMs: number;
  readonly capacity: number;
}

const { url, schema, ledger, leaseMs, capacity }: ChaosOrder = JSON.parse(process.argv[2] ?? '{}');
const queue = await openPgBossQueue({ url, schema });
const never = new AbortController().signal;
/** One line, written whole or not at all. */
const note = (...words: readonly unknown[]) => appendFileSync(ledger, `${words.join(' ')}\n`);

process.on('disconnect', () => process.exit());
process.send?.('ready');
await workUntilStopped(
  {
    queue: {
      ...queue,
      async complete(hold, end) {
        const isDone = await queue.complete(hold, end);
        if (isDone) note('done', hold.id, hold.fence, process.pid);
        return isDone;
      },
    },
    worker: `chaos-${process.pid}`,
    leaseMs,
    async execute(job, { signal }) {
      note('start', job.id, job.fence, process.pid);
      await sleep(5 + Math.random() * 30);
      if (signal.aborted) return { kind: 'failed', result: '{}', reason: 'stopped', retryable: true };
      return { kind: 'done', result: JSON.stringify({ fence: job.fence }) };
    },
    endProcesses: async () => true,
    log: () => {},
  },
  { capacity },
  { stop: never, abort: never, drainMs: 0 },
);
