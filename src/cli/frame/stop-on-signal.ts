// Ctrl-C in two steps: the first asks for a stop, the second ends what is under way.

export interface StopSignals {
  readonly stop: AbortSignal;
  readonly abort: AbortSignal;
  /** As if the signal had come: a terminal that is asking takes Ctrl-C for itself. */
  ask(): void;
  release(): void;
}

/** The first signal asks the work to stop; it has the time it needs. */
export async function untilSignal<T>(work: (stop: AbortSignal) => Promise<T>): Promise<T> {
  const stopping = stopOnSignal(() => {});
  try {
    return await work(stopping.stop);
  } finally {
    stopping.release();
  }
}

export function stopOnSignal(onStop: () => void): StopSignals {
  const stop = new AbortController();
  const abort = new AbortController();
  const handle = () => {
    if (stop.signal.aborted) abort.abort();
    else onStop();
    stop.abort();
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, handle);
  return {
    stop: stop.signal,
    abort: abort.signal,
    ask: handle,
    release: () => {
      for (const signal of signals) process.removeListener(signal, handle);
    },
  };
}
