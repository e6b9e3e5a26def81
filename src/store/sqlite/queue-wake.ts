// Waiting for work without asking all the time: the kernel tells when anybody writes, a slow look covers the rest.
import { type FSWatcher, watch } from 'node:fs';

/** A look costs some microseconds; between two of them it takes at most this long, with and without news of writes. */
const WATCHED_MS = 250;
const UNWATCHED_MS = 8;

export interface Bell {
  /** Until `look` says so: it is asked after every write, whoever wrote, and at the time it named. */
  wait(ms: number, signal: AbortSignal, look: () => Look): Promise<void>;
  /** Lets go of whoever waits. */
  close(): void;
}

export interface Look {
  readonly isTime: boolean;
  /** When to look again, whatever happens. */
  readonly nextMs: number;
}

/** `file` is written by every process that changes the queue. */
export function openBell(file: string): Bell {
  const waiting = new Set<() => void>();
  let watcher: FSWatcher | undefined;
  let isClosed = false;
  const ring = () => {
    for (const wake of waiting) wake();
  };
  const unwatch = () => {
    watcher?.close();
    watcher = undefined;
  };
  const listen = () => {
    try {
      watcher ??= watch(file, { persistent: false }, ring).on('error', unwatch);
    } catch {
      // No watcher to be had: then it is looked at more often.
      watcher = undefined;
    }
  };
  const pollMs = () => (watcher ? WATCHED_MS : UNWATCHED_MS);
  return {
    wait(ms, signal, look) {
      if (!isClosed) listen();
      return waitOnce(waiting, { ms, signal, look, pollMs, isClosed: () => isClosed });
    },
    close() {
      isClosed = true;
      unwatch();
      ring();
    },
  };
}

interface Wait {
  readonly ms: number;
  readonly signal: AbortSignal;
  readonly look: () => Look;
  readonly pollMs: () => number;
  readonly isClosed: () => boolean;
}

function waitOnce(waiting: Set<() => void>, { ms, signal, look, pollMs, isClosed }: Wait): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const deadline = performance.now() + ms;
  let timer: NodeJS.Timeout | undefined;
  let stepMs = 1;
  const finish = (settle: () => void) => {
    clearTimeout(timer);
    waiting.delete(wake);
    signal.removeEventListener('abort', wake);
    settle();
  };
  const check = () => {
    const left = deadline - performance.now();
    if (signal.aborted || isClosed() || left <= 0) return finish(resolve);
    try {
      const { isTime, nextMs } = look();
      if (isTime) return finish(resolve);
      timer = setTimeout(check, Math.max(1, Math.min(left, nextMs, stepMs)));
      stepMs = Math.min(stepMs * 2, pollMs());
    } catch (error) {
      finish(() => reject(error));
    }
  };
  // What is being written can be seen a little later, when it is safe on the disk: so the next looks follow each other closely.
  const wake = () => {
    clearTimeout(timer);
    stepMs = 1;
    if (waiting.has(wake)) check();
  };
  waiting.add(wake);
  signal.addEventListener('abort', wake);
  // Not at once: whoever asks in a circle must not keep everything else from running.
  setImmediate(wake);
  return promise;
}
