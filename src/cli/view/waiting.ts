// A clock on the last line of a terminal while nothing else is shown there: whoever waits sees that something is at work.

export interface WaitingClock extends Disposable {
  /** Something else is about to be shown, or was: the clock goes away and begins anew. */
  touch(): void;
  /** Nothing until `touch`: somebody is asked, or a line is being written. */
  pause(): void;
}

const CLEAR = '\r\u001b[K';
const STEP_MS = 250;
// Whatever is quicker needs no clock.
const SHOWN_FROM_MS = 1000;
const MARKS = ['⠋', '⠙', '⠸', '⠴'];

/** Undefined where nobody watches. */
export function openWaiting(): WaitingClock | undefined {
  const screen = process.stderr;
  if (!screen.isTTY) return undefined;
  let since = performance.now();
  let isPaused = false;
  let isShown = false;
  let step = 0;
  const clear = () => {
    if (isShown) screen.write(CLEAR);
    isShown = false;
  };
  const timer = setInterval(() => {
    const waited = performance.now() - since;
    if (isPaused || waited < SHOWN_FROM_MS) return;
    screen.write(`${CLEAR}${MARKS[step++ % MARKS.length]} ${Math.floor(waited / 1000)} s`);
    isShown = true;
  }, STEP_MS);
  timer.unref();
  return {
    touch() {
      clear();
      since = performance.now();
      isPaused = false;
    },
    pause() {
      clear();
      isPaused = true;
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      clear();
    },
  };
}

/** Asks while the clock stands still. */
export function askWithout<Question, Answer>(
  waiting: WaitingClock | undefined,
  ask: (question: Question) => Promise<Answer>,
): (question: Question) => Promise<Answer> {
  return async (question) => {
    waiting?.pause();
    try {
      return await ask(question);
    } finally {
      waiting?.touch();
    }
  };
}
