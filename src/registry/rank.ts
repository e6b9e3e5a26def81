// The router: which skills fit a request, how well, and by which words. It proposes; a model or a person decides.
import { scanGrams } from './rank-gram.ts';
import { idOf, nameOf, type RankIndex } from './rank-index.ts';
import { describeMatch, type Match } from './rank-match.ts';
import { findMentions, type Mention } from './rank-mention.ts';
import { measureNearness } from './rank-nearness.ts';
import { addPostings, rarity } from './rank-postings.ts';
import { cutRequest, type Query, readQuery } from './rank-query.ts';
import { findTerm } from './rank-stream.ts';
import { isCommonWord, isStopWord } from './tokenize.ts';

export interface RankHit {
  readonly id: string;
  readonly score: number;
  /** Words of the request that were found in the skill, the most telling first. */
  readonly matched: readonly string[];
}

export interface RankResult {
  readonly hits: readonly RankHit[];
  /** Nothing fits well enough to act on; the hits are only the nearest there are. */
  readonly abstained: boolean;
}

const CANDIDATES = 100;
/** Scores are sorted into this many steps to find the best without sorting them all. */
const STEPS = 1000;
const GRAM_LIMIT = 150;
const MENTION_SCORE: Record<Mention, number> = { called: 3, named: 0.3, refused: -3 };
/** The router abstains where the best hit has fewer words, a smaller share of the request, and less than one rare word. */
const WEAK_COUNT = 4;
const WEAK_SHARE = 0.35;
const WEAK_RARITY = 0.85;

/** The query's terms as the index knows them. */
interface Lookup {
  /** Term number of each query term, -1 where no skill has it. */
  readonly numbers: readonly number[];
  readonly rarities: Float32Array;
  /** For every term of the index: position in the query plus one. */
  readonly places: Uint16Array;
}

export function rank(index: RankIndex, request: string, options: { limit?: number } = {}): RankResult {
  const limit = options.limit ?? 10;
  const text = cutRequest(request);
  const query = readQuery(text, index.settings);
  const lookup = lookUp(index, query);
  const scores = scoreWords(index, query, lookup);
  addGrams(index, text, scores);
  const mentions = index.settings.mentions ? findMentions(index, text) : new Map<number, Mention>();
  const candidates = pickBest(scores, Math.max(CANDIDATES, limit), mentions.keys());
  addNearness(index, query, lookup, candidates, scores);
  for (const [document, mention] of mentions) scores[document] = (scores[document] ?? 0) + MENTION_SCORE[mention];
  const best = order(index, candidates, scores).slice(0, limit);
  const matches = best.map((document) => describeMatch(index, query, lookup.places, lookup.rarities, document));
  const hits = best.map((document, at) => hit(index, document, scores, matches[at]?.words ?? []));
  const isCalled = best.some((document) => mentions.get(document) === 'called');
  forget(lookup);
  return { hits, abstained: !isCalled && isWeak(index, matches[0]) };
}

function isWeak(index: RankIndex, match: Match | undefined): boolean {
  if (!match) return true;
  const rareWord = WEAK_RARITY * rarity(0, index.size);
  return match.count < WEAK_COUNT && match.share < WEAK_SHARE && match.weight < rareWord;
}

const placesOf = new WeakMap<RankIndex, Uint16Array>();

function lookUp(index: RankIndex, query: Query): Lookup {
  const places = placesOf.get(index) ?? new Uint16Array(index.terms.size);
  placesOf.set(index, places);
  const numbers = query.terms.map(({ term }) => findTerm(index.terms, term));
  const unknown = rarity(0, index.size);
  const rarities = Float32Array.from(numbers, (number) => (number < 0 ? unknown : (index.rarity[number] ?? 0)));
  for (const [at, number] of numbers.entries()) if (number >= 0) places[number] = at + 1;
  return { numbers, rarities, places };
}

/** The table of places is shared by all requests and must be left empty. */
function forget({ numbers, places }: Lookup): void {
  for (const number of numbers) if (number >= 0) places[number] = 0;
}

/** BM25F over all fields, scaled so that the best document has 1. */
function scoreWords(index: RankIndex, query: Query, lookup: Lookup): Float32Array {
  const scores = new Float32Array(index.size);
  const excluded = new Float32Array(index.size);
  for (const [at, { term, weight }] of query.terms.entries()) {
    const number = lookup.numbers[at] ?? -1;
    if (number >= 0) addPostings(index.words, number, weight, scores);
    if (index.settings.exclusionPenalty === 0) continue;
    const denied = findTerm(index.terms, `!${term}`);
    if (denied >= 0) addPostings(index.words, denied, weight * (lookup.rarities[at] ?? 0), excluded);
  }
  const most = highest(scores);
  if (most === 0) return scores;
  const penalty = index.settings.exclusionPenalty;
  for (let at = 0; at < scores.length; at++) {
    const score = scores[at] ?? 0;
    if (score > 0) scores[at] = (score - penalty * (excluded[at] ?? 0)) / most;
  }
  return scores;
}

function addGrams(index: RankIndex, text: string, scores: Float32Array): void {
  const { gramWeight, gramFloor, request } = index.settings;
  const keys = rarestGrams(index, text, (word) => isStopWord(word) || (request.common < 1 && isCommonWord(word)));
  const found = new Float32Array(index.size);
  let perfect = 0;
  for (const { number, rare } of keys) {
    perfect += rare;
    if (number >= 0) addPostings(index.grams.postings, number, 1, found);
  }
  const scale = Math.max(highest(found), gramFloor * perfect);
  if (scale === 0) return;
  for (let at = 0; at < found.length; at++) {
    const value = found[at] ?? 0;
    if (value > 0) scores[at] = (scores[at] ?? 0) + (gramWeight * value) / scale;
  }
}

/** Frequent grams cost most and say least; a long request is cut to its rarest. */
function rarestGrams(
  index: RankIndex,
  text: string,
  skip: (word: string) => boolean,
): { number: number; rare: number }[] {
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
  const rareUnknown = rarity(0, index.size);
  return [
    ...known.slice(0, GRAM_LIMIT),
    ...Array.from({ length: Math.min(unknown, GRAM_LIMIT) }, () => ({ number: -1, rare: rareUnknown })),
  ];
}

function addNearness(
  index: RankIndex,
  query: Query,
  lookup: Lookup,
  candidates: readonly number[],
  scores: Float32Array,
): void {
  if (index.settings.nearnessWeight === 0) return;
  const nearness = measureNearness(index, query, lookup.places, lookup.rarities, candidates);
  for (const [at, document] of candidates.entries()) {
    scores[document] = (scores[document] ?? 0) + index.settings.nearnessWeight * (nearness[at] ?? 0);
  }
}

/** About `count` documents with the highest scores, in no particular order, and those that must be among them. */
function pickBest(scores: Float32Array, count: number, always: Iterable<number>): number[] {
  const step = highest(scores) / STEPS;
  const chosen = new Set(always);
  if (step === 0) return [...chosen];
  const counts = new Uint32Array(STEPS + 1);
  for (const score of scores) {
    const at = Math.min(STEPS, Math.floor(score / step));
    if (score > 0) counts[at] = (counts[at] ?? 0) + 1;
  }
  let least = STEPS;
  for (let taken = counts[least] ?? 0; least > 0 && taken < count; taken += counts[least] ?? 0) least--;
  for (let document = 0; document < scores.length; document++) {
    const score = scores[document] ?? 0;
    if (score > 0 && score >= least * step) chosen.add(document);
  }
  return [...chosen];
}

/** Best first; equal scores by name, then id, so that the order never depends on how skills were found. */
function order(index: RankIndex, candidates: readonly number[], scores: Float32Array): number[] {
  const positive = candidates.filter((document) => (scores[document] ?? 0) > 0);
  return positive.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || compareTexts(index, a, b));
}

function compareTexts(index: RankIndex, a: number, b: number): number {
  const [one, other] = [`${nameOf(index, a)}\n${idOf(index, a)}`, `${nameOf(index, b)}\n${idOf(index, b)}`];
  return one < other ? -1 : 1;
}

function hit(index: RankIndex, document: number, scores: Float32Array, matched: readonly string[]): RankHit {
  return { id: idOf(index, document), score: Math.round((scores[document] ?? 0) * 1000) / 1000, matched };
}

function highest(scores: Float32Array): number {
  let most = 0;
  for (const score of scores) if (score > most) most = score;
  return most;
}
