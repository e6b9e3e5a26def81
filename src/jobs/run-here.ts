// Runs one job of the queue in this process, or waits for the worker that got it first; the queue keeps the record.
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '../base/errors.ts';
import { randomId } from '../base/ids.ts';
import type { ClaimedJob, Job, JobState } from '../store/queue.ts';
import { type Workshop, workOn } from './work-loop.ts';

/** Before everything that waits: somebody stands there. */
export const FOREGROUND_PRIORITY = 1_000_000;

const ENDED: readonly JobState[] = ['done', 'dead', 'cancelled', 'skipped'];
const LOOK_MS = 200;
/** A job without priority may stand behind this many. */
const BEHIND = 500;

interface RunHere extends Workshop {
  readonly labels?: readonly string[];
  readonly signal: AbortSignal;
}

/** Ended, or waiting for a decision. When aborted, the job is cancelled. */
export async function runHere(id: string, here: RunHere): Promise<Job> {
  const { queue, signal } = here;
  const cancel = async () => void (await queue.cancel(id));
  for (;;) {
    const job = await queue.find(id);
    if (!job) throw new Fault('DataNotFound', id);
    if (ENDED.includes(job.state) || job.state === 'waiting') return job;
    if (signal.aborted) await cancel();
    const held = signal.aborted ? undefined : await claimThis(job, here);
    if (held) await workOn(held.claimed, held.tag, here, cancelFirst(signal, cancel));
    else await sleep(LOOK_MS);
  }
}

/** The queue knows that it is cancelled before the job is given back. */
function cancelFirst(signal: AbortSignal, cancel: () => Promise<void>): AbortSignal {
  const control = new AbortController();
  const abort = () => void cancel().finally(() => control.abort());
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return control.signal;
}

/** Others that come with it are given back untouched. */
async function claimThis(
  { id, priority }: Job,
  { queue, worker, leaseMs, labels }: RunHere,
): Promise<{ claimed: ClaimedJob; tag: string } | undefined> {
  const tag = randomId();
  const limit = priority >= FOREGROUND_PRIORITY ? 1 : BEHIND;
  const claimed = await queue.claim({ worker, tag, leaseMs, limit, ...(labels && { labels }) });
  for (const { id: other, fence } of claimed) if (other !== id) await queue.release({ id: other, fence });
  const ours = claimed.find((job) => job.id === id);
  return ours && { claimed: ours, tag };
}
