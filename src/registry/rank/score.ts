// The score of each skill for a request: BM25F over its words, character grams, and proximity.
import { scanGrams } from './gram.ts';
import type { RankIndex } from './index.ts';
import type { Lookup } from './lookup.ts';
import { measureNearness } from './nearness.ts';
import { addPostings, highest, rarity } from './postings.ts';
import { findTerm } from './stream.ts';
import { isCommonWord, isStopWord } from './tokenize.ts';

const GRAM_LIMIT = 150;

/** Scaled so that the best document has 1. */
export function scoreWords(index: RankIndex, lookup: Lookup): Float32Array {
  const scores = new Float32Array(index.size);
  for (const [at, { weight }] of lookup.query.terms.entries()) {
    const number = lookup.numbers[at] ?? -1;
    if (number >= 0) addPostings(index.words, number, weight, scores);
  }
  const most = highest(scores);
  if (index.settings.exclusionPenalty > 0) subtractExclusions(index, lookup, scores);
  if (most > 0) for (let at = 0; at < scores.length; at++) scores[at] = (scores[at] ?? 0) / most;
  return scores;
}

export function addGrams(index: RankIndex, text: string, scores: Float32Array): void {
  const { gramWeight, gramFloor, request } = index.settings;
  const skip = (word: string): boolean => isStopWord(word) || (request.common < 1 && isCommonWord(word));
  const { known, unknown } = rarestGrams(index, text, skip);
  const found = new Float32Array(index.size);
  let perfect = unknown * rarity(0, index.size);
  for (const { number, rare } of known) {
    perfect += rare;
    addPostings(index.grams.postings, number, 1, found);
  }
  const scale = Math.max(highest(found), gramFloor * perfect);
  if (scale === 0) return;
  for (let at = 0; at < found.length; at++) {
    const value = found[at] ?? 0;
    if (value > 0) scores[at] = (scores[at] ?? 0) + (gramWeight * value) / scale;
  }
}

export function addNearness(
  index: RankIndex,
  lookup: Lookup,
  candidates: readonly number[],
  scores: Float32Array,
): void {
  const { nearnessWeight } = index.settings;
  if (nearnessWeight === 0) return;
  const nearness = measureNearness(index, lookup, candidates);
  for (const [at, document] of candidates.entries()) {
    scores[document] = (scores[document] ?? 0) + nearnessWeight * (nearness[at] ?? 0);
  }
}

function subtractExclusions(index: RankIndex, lookup: Lookup, scores: Float32Array): void {
  for (const [at, { term, weight }] of lookup.query.terms.entries()) {
    const denied = findTerm(index.terms, `!${term}`);
    if (denied < 0) continue;
    addPostings(index.words, denied, -index.settings.exclusionPenalty * weight * (lookup.rarities[at] ?? 0), scores);
  }
}

/** Frequent grams cost most and say least; a long request keeps only its rarest. */
function rarestGrams(
  index: RankIndex,
  text: string,
  skip: (word: string) => boolean,
): { known: { number: number; rare: number }[]; unknown: number } {
  const { keys, postings } = index.grams;
  const met = new Set<number>();
  let unknown = 0;
  scanGrams(text, skip, (low, high) => {
    const number = keys.find(low, high);
    if (number >= 0) met.add(number);
    else unknown++;
  });
  const known = Array.from(met, (number) => {
    const holders = (postings.start[number + 1] ?? 0) - (postings.start[number] ?? 0);
    return { number, rare: rarity(holders, index.size) };
  });
  known.sort((a, b) => b.rare - a.rare || a.number - b.number);
  return { known: known.slice(0, GRAM_LIMIT), unknown: Math.min(unknown, GRAM_LIMIT) };
}
