// A worker in a process of its own that says when each job reached it; the sender compares.
import { openQueue } from '../src/store/sqlite/queue.ts';

const folder = process.argv[2] ?? '';
const queue = openQueue({ home: folder, project: folder });
const never = new AbortController().signal;
process.on('disconnect', () => process.exit());
process.send?.('ready');
for (;;) {
  const [job] = await queue.claim({ worker: 'bench', tag: 'bench', leaseMs: 10_000, limit: 1 });
  const at = performance.timeOrigin + performance.now();
  if (!job) await queue.waitForWork(1_000, never);
  else {
    process.send?.({ id: job.id, at });
    await queue.complete(job, { result: '{}' });
  }
}
