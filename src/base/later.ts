// Work that can wait until what is urgent has been started: done after a moment, or as soon as somebody needs it done.

export interface Later {
  /** Done in the order it was added. */
  add(work: () => void): void;
  /** Does what is left; throws what went wrong with any of it. */
  settle(): void;
}

const MOMENT_MS = 5;

export function createLater(): Later {
  let waiting: (() => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  let failure: { readonly error: unknown } | undefined;
  const doAll = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const works = waiting;
    waiting = [];
    try {
      for (const work of works) work();
    } catch (error) {
      failure ??= { error };
    }
  };
  return {
    add(work) {
      waiting.push(work);
      // Nobody's exit waits for it: whoever needs it done says so.
      timer ??= setTimeout(doAll, MOMENT_MS).unref();
    },
    settle() {
      doAll();
      if (failure) throw failure.error;
    },
  };
}

/** For work that must be done before anything else is. */
export const AT_ONCE: Later = { add: (work) => work(), settle() {} };
