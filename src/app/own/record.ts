// Records a person's own command in the owner's log: what is about to change before it does, and afterwards how it ended.
import { type OwnerChange, type OwnerEvent, type OwnerFacts, scopeOf } from '../../audit/owner/event.ts';
import { appendOwner } from '../../audit/owner/log.ts';
import { toFault } from '../../base/errors.ts';
import { randomId } from '../../base/ids.ts';
import type { Runtime } from '../runtime.ts';

/** Whose log it is written to, and when. */
type Owner = Pick<Runtime, 'home' | 'project' | 'clock'>;

/** `facts`: what is known only when it was done. */
export function recordOwn<Result>(
  owner: Owner,
  change: OwnerChange,
  effect: () => Result,
  facts?: (result: Result) => OwnerFacts,
): Result {
  const act = begin(owner, change);
  let result: Result;
  try {
    result = effect();
  } catch (error) {
    act.failed(error);
    throw error;
  }
  act.done(facts?.(result));
  return result;
}

/** The same for an effect that takes its time. */
export async function recordOwnAwaited<Result>(
  owner: Owner,
  change: OwnerChange,
  effect: () => Promise<Result>,
  facts?: (result: Result) => OwnerFacts,
): Promise<Result> {
  const act = begin(owner, change);
  const result = await effect().catch((error: unknown) => {
    act.failed(error);
    throw error;
  });
  act.done(facts?.(result));
  return result;
}

/** One of the two ends follows; a kill in between leaves a beginning without an end. */
interface Act {
  done(facts?: OwnerFacts): void;
  failed(error: unknown): void;
}

/**
 * On disk when it returns: nothing becomes visible that the log does not know. No transaction could hold the files of a
 * project, those under home and the log together.
 */
function begin({ home, project, clock }: Owner, change: OwnerChange): Act {
  const place = scopeOf(change) === 'user' ? { home } : { home, project };
  const act = randomId(6);
  const record = (...events: OwnerEvent[]) => appendOwner(place, clock, events);
  record(...inLines(change).map((part) => ({ type: 'begin', act, change: part }) as const));
  return {
    done: (facts) => record({ type: 'end', act, state: 'done', ...(facts && { facts }) }),
    failed: (error) => record({ type: 'end', act, state: 'failed', error: toFault(error).code }),
  };
}

const ITEMS_A_LINE = 50;

/** A change of very many skills or files is several lines: none is larger than it need be, and nothing is left out. */
function inLines(change: OwnerChange): OwnerChange[] {
  if ('skills' in change) return pieces(change.skills).map((skills) => ({ ...change, skills }));
  if ('files' in change) return pieces(change.files).map((files) => ({ ...change, files }));
  return [change];
}

function pieces<Item>(items: readonly Item[]): Item[][] {
  const count = Math.max(1, Math.ceil(items.length / ITEMS_A_LINE));
  return Array.from({ length: count }, (_, at) => items.slice(at * ITEMS_A_LINE, (at + 1) * ITEMS_A_LINE));
}
