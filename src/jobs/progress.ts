// Stores in the queue what a running job says of its progress, at most once a second and always the latest.
import type { Hold, Queue } from '../store/queue.ts';

interface Said {
  /** Between 0 and 1. */
  readonly fraction: number;
  readonly message: string;
}

export interface ProgressReporter {
  say(progress: Said): void;
  /** Resolves when what was said is stored. */
  end(): Promise<void>;
}

const PACE_MS = 1_000;
const LENGTH = 200;

/** A report that cannot be stored is dropped: the job matters more than its progress. */
export function openProgressReporter(queue: Pick<Queue, 'report'>, hold: Hold): ProgressReporter {
  let next: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let storing = Promise.resolve();
  const store = (): void => {
    timer = undefined;
    if (next === undefined) return;
    const text = next;
    next = undefined;
    timer = setTimeout(store, PACE_MS);
    storing = storing.then(() => queue.report(hold, text)).catch(() => {});
  };
  return {
    say({ fraction, message }) {
      next = `${Math.round(fraction * 100)}% ${message.slice(0, LENGTH)}`.trimEnd();
      if (timer === undefined) store();
    },
    async end() {
      clearTimeout(timer);
      store();
      clearTimeout(timer);
      await storing;
    },
  };
}
