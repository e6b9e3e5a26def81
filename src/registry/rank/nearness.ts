// Proximity: words that are close together in the request and in a skill raise its score.

import type { RankIndex } from './index.ts';
import type { Lookup } from './lookup.ts';
import { highest } from './postings.ts';
import type { Query } from './query.ts';
import { FIELD_COUNT, MARKS, PART } from './stream.ts';

const WINDOW = 4;
const FIELD_SHARES = [1, 1, 0.5, 0.3, 1];

/** For each candidate, how well word pairs of the request are found close together; the best has 1. */
export function measureNearness(
  index: RankIndex,
  { query, places, rarities }: Lookup,
  candidates: readonly number[],
): Float32Array {
  const count = query.terms.length + 1;
  const pairs = weighPairs(query, rarities, count);
  const strongest = new Float32Array(count * count);
  const result = Float32Array.from(candidates, (document) =>
    nearnessOf(index, document, places, pairs, strongest, count),
  );
  const best = highest(result);
  return best > 0 ? result.map((value) => value / best) : result;
}

/** A matrix over the query terms: the weight of finding both close together. */
function weighPairs(query: Query, rarities: Float32Array, count: number): Float32Array {
  const pairs = new Float32Array(count * count);
  for (const [at, first] of query.order.entries()) {
    for (let next = at + 1; next <= at + WINDOW && next < query.order.length; next++) {
      const second = query.order[next] ?? first;
      const one = query.terms[first];
      const other = query.terms[second];
      if (!one || !other || first === second) continue;
      const rare = Math.sqrt((rarities[first] ?? 0) * (rarities[second] ?? 0));
      const shared =
        one.kind === 'pair' && other.kind === 'pair' ? Math.min(one.weight, other.weight) : one.weight * other.weight;
      pairs[keyOf(first + 1, second + 1, count)] = rare * shared;
    }
  }
  return pairs;
}

function nearnessOf(
  index: RankIndex,
  document: number,
  places: Uint16Array,
  pairs: Float32Array,
  strongest: Float32Array,
  count: number,
): number {
  const touched: number[] = [];
  const recent = new Uint16Array(WINDOW);
  let sum = 0;
  for (let field = 0; field < MARKS; field++) {
    recent.fill(0);
    const place = document * FIELD_COUNT + field;
    const end = index.fieldStart[place + 1] ?? 0;
    for (let at = index.fieldStart[place] ?? 0, position = 0; at < end; at++) {
      const entry = index.stream[at] ?? 0;
      if (entry >= PART) continue;
      const term = places[entry] ?? 0;
      for (let distance = 1; term > 0 && distance <= WINDOW; distance++) {
        const other = recent[(position + WINDOW - distance) % WINDOW] ?? 0;
        const key = keyOf(term, other, count);
        const strength = (FIELD_SHARES[field] ?? 0) / distance;
        if (other === 0 || !pairs[key] || strength <= (strongest[key] ?? 0)) continue;
        sum += (strength - (strongest[key] ?? 0)) * (pairs[key] ?? 0);
        strongest[key] = strength;
        touched.push(key);
      }
      recent[position % WINDOW] = term;
      position++;
    }
  }
  for (const key of touched) strongest[key] = 0;
  return sum;
}

function keyOf(one: number, other: number, count: number): number {
  return one < other ? one * count + other : other * count + one;
}
