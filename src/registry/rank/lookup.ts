// The terms of a request as the index knows them.
import type { RankIndex } from './index.ts';
import { rarity } from './postings.ts';
import type { Query } from './query.ts';
import { findTerm } from './stream.ts';

export interface Lookup {
  readonly query: Query;
  /** Term number of each query term, -1 where no skill has it. */
  readonly numbers: readonly number[];
  readonly rarities: Float32Array;
  /** For every term of the index: position in the query plus one. */
  readonly places: Uint16Array;
}

export function lookUp(index: RankIndex, query: Query): Lookup {
  const places = new Uint16Array(index.terms.size);
  const numbers = query.terms.map(({ term }) => findTerm(index.terms, term));
  const unknown = rarity(0, index.size);
  const rarities = Float32Array.from(numbers, (number) => (number < 0 ? unknown : (index.rarity[number] ?? 0)));
  for (const [at, number] of numbers.entries()) if (number >= 0) places[number] = at + 1;
  return { query, numbers, rarities, places };
}
