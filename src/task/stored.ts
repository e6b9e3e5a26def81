// A result that is already there: found without opening anything that could run a script.
import { sha256 } from '../base/ids.ts';
import { type Answering, makeOutcome, type Outcome } from '../base/outcome.ts';
import { readOutcome } from '../base/value/stored-outcome.ts';
import type { FlightSeen } from '../store/store.ts';

/** What a key stands for; the description is only for people. */
export function payloadOf(prompt: string): string {
  return sha256(prompt.trim());
}

/** Undefined where the task has to be asked for in full. */
export function recall(seen: FlightSeen | undefined, prompt: string, by: Answering): Outcome | undefined {
  if (seen?.state !== 'finished' || seen.payload !== payloadOf(prompt)) return undefined;
  const outcome = readOutcome(seen.result);
  return outcome && fromCache(outcome, by);
}

/** Errors are results too: they keep their state and their fields. */
export function fromCache(outcome: Outcome, by: Answering): Outcome {
  const { state, summary, data } = outcome;
  const cached = { cached: true, original_result: data };
  if (state === 'success')
    return makeOutcome(
      by,
      state,
      { en: 'from cache: the latest result (<5s)', zh: '缓存命中: 使用最近结果 (<5s)' },
      cached,
    );
  return makeOutcome(by, state, summary, { ...data, ...cached });
}
