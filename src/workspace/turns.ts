// Calls of one run take turns in its layer, and those of a process that makes many share its places: the others wait in line, a bounded number of them, and can be called off.
import { Fault } from '../base/errors.ts';

const MOST_WAITING = 256;

export interface TurnLimits {
  readonly atOnce: number;
  readonly waiting: number;
}

export interface Turns {
  /** Waits for its turn, which ends when the result is disposed of. Throws a Fault where too many wait, or it is called off. */
  take(signal?: AbortSignal): Promise<Disposable>;
}

export function openTurns({ atOnce, waiting: most }: TurnLimits = { atOnce: 1, waiting: MOST_WAITING }): Turns {
  const waiting: (() => void)[] = [];
  let taken = 0;
  const give: Disposable = {
    [Symbol.dispose]() {
      const next = waiting.shift();
      if (next) next();
      else taken--;
    },
  };
  return {
    async take(signal) {
      if (taken < atOnce) {
        taken++;
        return give;
      }
      if (waiting.length >= most) throw tooMany(most);
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
  en: 'called off while it waited for other calls',
  zh: '在等待其他调用时被取消',
};

function tooMany(most: number): Fault {
  return new Fault(
    'BudgetExhausted',
    {
      en: `${most} calls wait for each other already`,
      zh: `已有 ${most} 个调用在相互等待`,
    },
    { hint: { en: 'Make fewer calls at once.', zh: '请减少同时发起的调用。' } },
  );
}

/** A turn in each of them: the second is waited for with the first in hand, so that nobody holds a place idly. */
export function bothTurns(own: Turns, shared: Turns): Turns {
  return {
    async take(signal) {
      const first = await own.take(signal);
      try {
        const second = await shared.take(signal);
        return {
          [Symbol.dispose]() {
            second[Symbol.dispose]();
            first[Symbol.dispose]();
          },
        };
      } catch (error) {
        first[Symbol.dispose]();
        throw error;
      }
    },
  };
}
