// A worker's announcements: what it does is said at once, not at the next beat.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Queue, WorkerSeen } from '../../store/queue.ts';
import { keepPresent } from './presence.ts';

test('how many jobs run is announced when it changes, in order, and the leave comes last', async () => {
  const said: string[] = [];
  const queue: Pick<Queue, 'seen' | 'leave'> = {
    async seen({ running }) {
      await Promise.resolve();
      said.push(String(running));
    },
    leave: (id) => void said.push(`${id} left`),
  };
  let running = 0;
  const worker: Omit<WorkerSeen, 'seenAt' | 'running'> = {
    ...{ id: 'w', host: 'h', pid: 1, labels: [], capacity: 2, startedAt: 0 },
  };
  const presence = keepPresent(queue, assert.fail, async () => ({ ...worker, running }));
  for (const next of [1, 1, 2, 0]) {
    running = next;
    presence.changed();
    await new Promise(setImmediate);
  }
  await presence.end();
  assert.deepEqual(said, ['0', '1', '2', '0', 'w left']);
});
