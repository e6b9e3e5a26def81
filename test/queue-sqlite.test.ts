// The embedded queue keeps the promises of the queue.
import type { TestContext } from 'node:test';
import { openQueue, type QueueOptions } from '../src/store/sqlite-queue.ts';
import { queueContract } from './queue-contract.ts';
import { temporaryFolder } from './support.ts';

queueContract('SQLite', async (t) => {
  const place = placeIn(t);
  return { open: async () => open(t, place) };
});

function placeIn(t: TestContext) {
  const folder = temporaryFolder(t);
  return { home: folder, project: folder };
}

function open(t: TestContext, place: { home: string; project: string }, options: QueueOptions = {}) {
  const queue = openQueue(place, options);
  t.after(() => queue.close());
  return queue;
}
