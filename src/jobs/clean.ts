// Ends processes that crashed workers left on this machine, even when another machine retries the job or none does.
import { setTimeout as sleep } from 'node:timers/promises';
import { toFault } from '../base/errors.ts';
import type { WorkerDeps } from './worker.ts';

type Place = Pick<WorkerDeps, 'queue' | 'endProcesses' | 'log'>;

const LOOK_MS = 1_000;

export async function cleanUntilStopped(place: Place, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    await clean(place);
    await sleep(LOOK_MS, undefined, { signal: stop }).catch(() => {});
  }
}

/** A tag that could not be cleaned is retried at the next poll; one of another machine is left to a worker there. */
async function clean({ queue, endProcesses, log }: Place): Promise<void> {
  try {
    for (const tag of await queue.leftBehind()) {
      if (await endProcesses(tag)) await queue.cleaned(tag);
    }
  } catch (error) {
    log('not cleaned', { error: toFault(error).message });
  }
}
