// Calls of one run take turns in its layer: the others wait in line, a bounded number of them, and can be called off.
import { Fault } from '../base/errors.ts';

const MOST_WAITING = 256;

export interface Turns {
  /** Waits for its turn, which ends when the result is disposed of. Throws a Fault where too many wait, or it is called off. */
  take(signal?: AbortSignal): Promise<Disposable>;
}

export function openTurns(): Turns {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  const give: Disposable = {
    [Symbol.dispose]() {
      const next = waiting.shift();
      if (next) next();
      else isTaken = false;
    },
  };
  return {
    async take(signal) {
      if (!isTaken) {
        isTaken = true;
        return give;
      }
      if (waiting.length >= MOST_WAITING) throw tooMany();
      await inLine(waiting, signal);
      return give;
    },
  };
}

async function inLine(waiting: (() => void)[], signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const calledOff = () => {
    waiting.splice(waiting.indexOf(resolve), 1);
    reject(new Fault('RuntimeFailed', NOT_STARTED, { reason: 'stopped', details: { aborted: true } }));
  };
  waiting.push(resolve);
  signal?.addEventListener('abort', calledOff, { once: true });
  await promise.finally(() => signal?.removeEventListener('abort', calledOff));
}

const NOT_STARTED = {
  en: 'called off while it waited for another call of the run',
  zh: '在等待同一运行的另一调用时被取消',
};

function tooMany(): Fault {
  return new Fault(
    'BudgetExhausted',
    {
      en: `${MOST_WAITING} calls of this run wait for each other already`,
      zh: `该运行已有 ${MOST_WAITING} 个调用在相互等待`,
    },
    { hint: { en: 'Make fewer calls at once.', zh: '请减少同时发起的调用。' } },
  );
}
