// Questions that are on their way to a person: each is answered once, for the call it was asked about, or is a no in the end.

import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { ANSWER_MS, NO_ANSWER } from './elicit.ts';
import type { AskedStep } from './step.ts';

const MOST = 256;

export interface OpenSteps {
  /** The name that comes back with the answer; nobody can guess it. */
  keep(step: AskedStep, about: unknown): string;
  /** Undefined where there is none, or it was asked about something else. */
  take(name: string, about: unknown): AskedStep | undefined;
  close(): void;
}

interface Kept {
  readonly step: AskedStep;
  readonly about: unknown;
  readonly timer: NodeJS.Timeout;
}

export function openSteps(): OpenSteps {
  const kept = new Map<string, Kept>();
  const remove = (name: string): Kept | undefined => {
    const found = kept.get(name);
    clearTimeout(found?.timer);
    kept.delete(name);
    return found;
  };
  // A no is on the record, too.
  const expire = (name: string) => void remove(name)?.step.next(NO_ANSWER, {});
  return {
    keep(step, about) {
      const [oldest] = kept.keys();
      if (kept.size >= MOST && oldest !== undefined) expire(oldest);
      const name = randomUUID();
      kept.set(name, { step, about, timer: setTimeout(() => expire(name), ANSWER_MS).unref() });
      return name;
    },
    take(name, about) {
      const found = remove(name);
      return found && isDeepStrictEqual(found.about, about) ? found.step : undefined;
    },
    close() {
      for (const name of [...kept.keys()]) remove(name);
    },
  };
}
