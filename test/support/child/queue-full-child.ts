// Fills the file system it is given, with a queue on it, and makes room again; started by queue-trouble.test.ts.
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../../src/base/errors.ts';
import type { NewJob, Queue } from '../../../src/store/queue.ts';
import { openQueue } from '../../../src/store/sqlite/queue.ts';
import { checkState } from '../../../src/store/sqlite/store.ts';

export interface FullReport {
  /** Acknowledged before and while it was full. */
  readonly acknowledged: readonly string[];
  readonly kept: readonly string[];
  /** What each kind of request was answered with while it was full. */
  readonly faults: Readonly<Record<string, string>>;
  /** After there was room again. */
  readonly later: readonly string[];
  readonly damage: readonly string[];
}

if (process.argv[2] !== undefined) process.stdout.write(JSON.stringify(await run(process.argv[2])));

async function run(folder: string): Promise<FullReport> {
  const place = { home: folder, project: folder };
  const queue = openQueue(place);
  const acknowledged: string[] = [];
  for (let at = 0; at < 5; at++) acknowledged.push((await queue.enqueue(job('small'))).id);
  const [held] = await queue.claim({ worker: 'w', tag: 't', leaseMs: 60_000, limit: 1 });
  const hold = { id: held?.id ?? '', fence: held?.fence ?? 0 };
  const filler = path.join(folder, 'filler');
  fill(filler);
  const faults: Record<string, string> = {};
  const attempt = async (name: string, act: () => unknown) => {
    faults[name] = await faultOf(act);
  };
  // What little room is left inside the database is used up first.
  while (!faults.enqueue) {
    await attempt('enqueue', async () => acknowledged.push((await queue.enqueue(job('x'.repeat(20_000)))).id));
  }
  const result = 'y'.repeat(200_000);
  await attempt('complete', () => queue.complete(hold, { result }));
  await attempt('fail', () => queue.fail(hold, { result, reason: 'r', retryable: true }));
  await attempt('find', () => queue.find(hold.id));
  await attempt('open', () => void openQueue(place).close());
  rmSync(filler);
  const later = await goOn(queue, hold, result);
  acknowledged.push(...later.slice(1));
  const kept = (await queue.history({ limit: 10_000 })).map(({ id }) => id);
  const damage = checkState(place);
  queue.close();
  return { acknowledged, kept, faults, later, damage };
}

/** To the last byte. */
function fill(file: string): void {
  for (let size = 1 << 20; size >= 1; size >>= 1) {
    try {
      for (;;) writeFileSync(file, Buffer.alloc(size), { flag: 'a' });
    } catch {
      // No room for this much; for half of it perhaps.
    }
  }
}

async function goOn(queue: Queue, hold: { id: string; fence: number }, result: string): Promise<string[]> {
  const isDone = await queue.complete(hold, { result });
  const { id } = await queue.enqueue(job('later'));
  return [isDone ? 'completed' : 'refused', id];
}

async function faultOf(act: () => unknown): Promise<string> {
  try {
    await act();
    return '';
  } catch (error) {
    return error instanceof Fault ? error.type : String(error);
  }
}

function job(payload: string): NewJob {
  return { role: 'r', target: 't', payload, retry: { limit: 1, delayMs: 1, maxMs: 1 }, timeoutMs: 1_000 };
}
