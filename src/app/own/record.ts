// Records a person's own command in the owner's log: what is about to change before it does, and afterwards how it ended.
import { type OwnerChange, type OwnerEvent, type OwnerFacts, scopeOf } from '../../audit/owner/event.ts';
import { appendOwner } from '../../audit/owner/log.ts';
import { toFault } from '../../base/errors.ts';
import { randomId } from '../../base/ids.ts';
import type { Runtime } from '../runtime.ts';

/**
 * The change is on disk before it is made: nothing can become visible that the log does not know, and a kill in between
 * leaves a beginning without an end. No transaction could hold a project's files, home and the log together.
 */
export async function recordOwn<Result>(
  { home, project, clock }: Pick<Runtime, 'home' | 'project' | 'clock'>,
  change: OwnerChange,
  effect: () => Result | Promise<Result>,
  factsOf?: (result: Result) => OwnerFacts,
): Promise<Result> {
  const place = scopeOf(change) === 'user' ? { home } : { home, project };
  const act = randomId(6);
  const record = (...events: OwnerEvent[]) => appendOwner(place, clock, events);
  record(...inLines(change).map((part) => ({ type: 'begin', act, change: part }) as const));
  const result = await attempt(effect, (error) => record({ type: 'end', act, state: 'failed', error }));
  const facts = factsOf?.(result);
  record({ type: 'end', act, state: 'done', ...(facts && { facts }) });
  return result;
}

async function attempt<Result>(
  effect: () => Result | Promise<Result>,
  onFailure: (code: string) => void,
): Promise<Result> {
  try {
    return await effect();
  } catch (error) {
    onFailure(toFault(error).code);
    throw error;
  }
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
