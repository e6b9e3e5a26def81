// A clock on the last line of a terminal while nothing else is shown there: whoever waits sees what is under way, and for how long.
import { truncate, visible } from '../../base/text.ts';
import { isWatched } from './watched.ts';

export interface WaitingClock extends Disposable {
  /** Something else is about to be shown, or was: the clock goes away and begins anew; `what` is under way from now on. */
  touch(what?: string): void;
  /** Nothing until `touch`: somebody is asked, or a line is being written. */
  pause(): void;
}

const CLEAR = '\r\u001b[K';
const STEP_MS = 250;
// Whatever is quicker needs no clock.
const SHOWN_FROM_MS = 1000;
const NARROWEST = 10;
const USUAL_COLUMNS = 80;
const MARKS = ['⠋', '⠙', '⠸', '⠴'];

/** Undefined where nobody watches. */
export function openWaiting(what: string): WaitingClock | undefined {
  if (!isWatched()) return undefined;
  const screen = process.stderr;
  let label = what;
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
    const clock = `${MARKS[step++ % MARKS.length]} ${Math.floor(waited / 1000)} s`;
    screen.write(
      CLEAR + truncate(`${clock} ${visible(label)}`, Math.max(NARROWEST, (screen.columns || USUAL_COLUMNS) - 1)),
    );
    isShown = true;
  }, STEP_MS);
  timer.unref();
  return {
    touch(now = label) {
      clear();
      label = now;
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
