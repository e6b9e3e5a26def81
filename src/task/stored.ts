// A result that is already there: found without opening anything that could run a script.
import { parseOutcome } from '../base/flat-outcome.ts';
import { sha256 } from '../base/ids.ts';
import { type Answering, makeOutcome, type Outcome, saidBy, tell } from '../base/outcome.ts';
import type { FlightSeen } from '../store/store.ts';

/** What a key stands for; the description is only for people. */
export function payloadOf(prompt: string): string {
  return sha256(prompt.trim());
}

/** Undefined where the task has to be asked for in full. */
export function recall(seen: FlightSeen | undefined, prompt: string, by: Answering): Outcome | undefined {
  if (seen?.state !== 'finished' || seen.payload !== payloadOf(prompt)) return undefined;
  const stored = parseOutcome(seen.result);
  return stored && fromCache(stored, by);
}

/** Errors are results too: they keep their state and their fields. */
export function fromCache(outcome: Outcome, by: Answering): Outcome {
  const { data: original, product } = outcome;
  const cached = { original };
  const facts = { cached: true, original_result: original };
  if (outcome.state !== 'success') return { ...tell(saidBy(by, outcome), facts), cached };
  const summary = { en: 'from cache: the latest result (<5s)', zh: '缓存命中: 使用最近结果 (<5s)' };
  return makeOutcome(by, 'success', summary, facts, { cached, ...(product && { product }) });
}
