// Runs one job of the queue in this process, or waits for the worker that claimed it first; the queue keeps the record.
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '../base/errors.ts';
import type { Job, JobState } from '../store/queue.ts';
import { claimOne, workOn } from './work-loop.ts';
import type { WorkerDeps } from './worker.ts';

/** Above every other priority: a user waits in the foreground. */
export const FOREGROUND_PRIORITY = 1_000_000;

const ENDED: readonly JobState[] = ['done', 'dead', 'cancelled', 'skipped'];
const LOOK_MS = 200;
/** Delay of a job that its own process will claim; if that process dies first, any worker may claim it. */
export const HEAD_START_MS = 10_000;

/** Resolves when the job has ended or waits for a decision. When aborted, the job is cancelled. */
export async function runHere(id: string, deps: WorkerDeps, signal: AbortSignal): Promise<Job> {
  const { queue } = deps;
  const cancel = async () => void (await queue.cancel(id));
  for (;;) {
    const job = await queue.find(id);
    if (!job) throw new Fault('DataNotFound', id);
    if (ENDED.includes(job.state) || job.state === 'waiting') return job;
    if (signal.aborted) await cancel();
    const isTime = job.attempt === 0 || job.dueAt <= Date.now();
    const held = signal.aborted || !isTime ? undefined : await claimOne(deps, { only: id });
    if (!held) await sleep(LOOK_MS);
    else {
      using cancelling = cancelFirst(signal, cancel);
      await workOn(held.claimed, held.tag, deps, cancelling.signal);
    }
  }
}

/** Cancels in the queue before the job is released; not once it is over, when a signal that lives longer may find the queue closed. */
function cancelFirst(signal: AbortSignal, cancel: () => Promise<void>): Disposable & { readonly signal: AbortSignal } {
  const control = new AbortController();
  const abort = () => void cancel().finally(() => control.abort());
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return { signal: control.signal, [Symbol.dispose]: () => signal.removeEventListener('abort', abort) };
}
