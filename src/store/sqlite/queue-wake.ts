// Waits for work without busy polling: a file watcher reports writes, and slow polling covers missed events.
import { type FSWatcher, watch } from 'node:fs';

/** The longest time between two polls, with and without a file watcher; one poll costs some microseconds. */
const WATCHED_MS = 250;
const UNWATCHED_MS = 8;

export interface QueueWatcher {
  /** Resolves when `look` reports work; polled after every write of any process and at the time `look` named. */
  wait(ms: number, signal: AbortSignal, look: () => Look): Promise<void>;
  /** Resolves every pending wait. */
  close(): void;
}

export interface Look {
  readonly isTime: boolean;
  /** When to poll again in any case. */
  readonly nextMs: number;
}

/** `file` is written by every process that changes the queue. */
export function openQueueWatcher(file: string): QueueWatcher {
  const waiting = new Set<() => void>();
  let watcher: FSWatcher | undefined;
  let isClosed = false;
  const wakeAll = () => {
    for (const wake of waiting) wake();
  };
  const unwatch = () => {
    watcher?.close();
    watcher = undefined;
  };
  const listen = () => {
    try {
      watcher ??= watch(file, { persistent: false }, wakeAll).on('error', unwatch);
    } catch {
      // No watcher available: then polling is more frequent.
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
      wakeAll();
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
  // A write becomes visible a little after its event, at commit: so the next polls follow closely.
  const wake = () => {
    clearTimeout(timer);
    stepMs = 1;
    if (waiting.has(wake)) check();
  };
  waiting.add(wake);
  signal.addEventListener('abort', wake);
  // Not synchronous: a caller that waits in a loop must not starve the event loop.
  setImmediate(wake);
  return promise;
}
