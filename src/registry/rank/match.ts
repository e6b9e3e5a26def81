// Why a skill was found: the words of the request it contains, and what share of the request they make up.
import type { RankIndex } from './index.ts';
import type { Lookup } from './lookup.ts';
import type { Query } from './query.ts';
import { FIELD_COUNT, MARKS, PART } from './stream.ts';

export interface Match {
  readonly words: readonly string[];
  /** The match quality: number of words, share of the request, and rarity of the words. */
  readonly count: number;
  readonly share: number;
  readonly weight: number;
}

const WORD_LIMIT = 12;

export function describeMatch(index: RankIndex, { query, places, rarities }: Lookup, document: number): Match {
  const found = foundTerms(index, places, document);
  const worth = (at: number): number => (query.terms[at]?.weight ?? 0) * (rarities[at] ?? 0);
  const telling = [...found].sort((a, b) => worth(b) - worth(a) || a - b);
  const asked = query.terms.reduce((sum, { kind, weight }) => (kind === 'translation' ? sum : sum + weight), 0);
  const count = telling.reduce((sum, at) => sum + (query.terms[at]?.weight ?? 0), 0);
  return {
    words: surfaces(query, telling, found),
    count,
    share: asked > 0 ? count / asked : 0,
    weight: telling.reduce((sum, at) => sum + worth(at), 0),
  };
}

function foundTerms(index: RankIndex, places: Uint16Array, document: number): Set<number> {
  const found = new Set<number>();
  const end = index.fieldStart[document * FIELD_COUNT + MARKS] ?? 0;
  for (let at = index.fieldStart[document * FIELD_COUNT] ?? 0; at < end; at++) {
    const place = places[((index.stream[at] ?? 0) & ~PART) >>> 0] ?? 0;
    if (place > 0) found.add(place - 1);
  }
  return found;
}

function surfaces(query: Query, telling: readonly number[], found: ReadonlySet<number>): string[] {
  const words = new Set<string>();
  const runs = joinPairs(query, found);
  const longer = [...new Set(runs.values())];
  for (const at of telling) {
    const term = query.terms[at];
    const isSaid = term?.kind === 'translation' && longer.some((run) => run.includes(term.surface));
    if (term && !isSaid) words.add(runs.get(at) ?? term.surface);
    if (words.size === WORD_LIMIT) break;
  }
  return [...words];
}

/** Overlapping pairs read as the longer word they came from. */
function joinPairs(query: Query, found: ReadonlySet<number>): Map<number, string> {
  const runs = new Map<number, string>();
  let members: number[] = [];
  let run = '';
  const finish = (): void => {
    for (const member of members) if ((runs.get(member)?.length ?? 0) < run.length) runs.set(member, run);
    members = [];
    run = '';
  };
  for (const at of query.order) {
    const term = query.terms[at];
    if (term?.kind !== 'pair' || !found.has(at)) finish();
    else if (run !== '' && run.at(-1) === term.term[0]) {
      run += term.term.slice(1);
      members.push(at);
    } else {
      finish();
      run = term.term;
      members = [at];
    }
  }
  finish();
  return runs;
}
