// Waiting for work without asking all the time: the kernel tells when anybody writes, a slow look covers the rest.
import { type FSWatcher, watch } from 'node:fs';

/** A look costs some microseconds; a write that nobody reported is found this late. */
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
  const finish = (settle: () => void) => {
    clearTimeout(timer);
    waiting.delete(check);
    signal.removeEventListener('abort', check);
    settle();
  };
  const check = () => {
    clearTimeout(timer);
    if (!waiting.has(check)) return;
    const left = deadline - performance.now();
    if (signal.aborted || isClosed() || left <= 0) return finish(resolve);
    try {
      const { isTime, nextMs } = look();
      if (isTime) return finish(resolve);
      timer = setTimeout(check, Math.max(1, Math.min(left, nextMs, pollMs())));
    } catch (error) {
      finish(() => reject(error));
    }
  };
  waiting.add(check);
  signal.addEventListener('abort', check);
  // Not at once: whoever asks in a circle must not keep everything else from running.
  setImmediate(check);
  return promise;
}
