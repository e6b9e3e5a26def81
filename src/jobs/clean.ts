// Ends what silent workers left running on this machine, also where another machine took up the job or nobody does.
import { setTimeout as sleep } from 'node:timers/promises';
import { toFault } from '../base/errors.ts';
import type { Workshop } from './worker.ts';

type Place = Pick<Workshop, 'queue' | 'endProcesses' | 'log'>;

const LOOK_MS = 1_000;

export async function cleanUntilStopped(place: Place, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    await clean(place);
    await sleep(LOOK_MS, undefined, { signal: stop }).catch(() => {});
  }
}

/** A tag that could not be cleaned is kept for the next look; one of another machine, for a worker there. */
async function clean({ queue, endProcesses, log }: Place): Promise<void> {
  try {
    for (const tag of await queue.leftBehind()) {
      if (await endProcesses(tag)) await queue.cleaned(tag);
    }
  } catch (error) {
    log('not cleaned', { error: toFault(error).message });
  }
}
