// The router: which skills match a request, how well, and by which words. It proposes; a model or a person decides.
import { idOf, nameOf, type RankIndex } from './index.ts';
import { lookUp } from './lookup.ts';
import { describeMatch, type Match } from './match.ts';
import { findMentions, type Mention } from './mention.ts';
import { highest, rarity } from './postings.ts';
import { cutRequest, readQuery } from './query.ts';
import { addGrams, addNearness, scoreWords } from './score.ts';

export interface RankHit {
  readonly id: string;
  readonly score: number;
  /** Words of the request found in the skill, the most significant first. */
  readonly matched: readonly string[];
}

export interface RankResult {
  readonly hits: readonly RankHit[];
  /** No match is good enough to act on; the hits are only the nearest. */
  readonly abstained: boolean;
}

/** A skill that is called for wins, one that is refused is removed. */
const MENTION_SCORE: Record<Mention, number> = { called: 3, named: 0.3, refused: -3 };
const DEFAULT_LIMIT = 10;
const CANDIDATES = 100;
/** Scores are put into this many buckets to find the best without sorting them all. */
const STEPS = 1000;
/** The router abstains when the best hit has fewer words, a smaller share of the request, and less than one rare word. */
const WEAK_COUNT = 4;
const WEAK_SHARE = 0.35;
const WEAK_RARITY = 0.85;

export interface RankOptions {
  readonly limit?: number;
  /** Filter by document number; all of them without it. */
  readonly accept?: (document: number) => boolean;
}

export function rank(index: RankIndex, request: string, options: RankOptions = {}): RankResult {
  const limit = options.limit ?? DEFAULT_LIMIT;
  const text = cutRequest(request);
  const lookup = lookUp(index, readQuery(text, index.settings));
  const scores = scoreWords(index, lookup);
  addGrams(index, text, scores);
  const mentions = index.settings.mentions ? findMentions(index, text) : new Map<number, Mention>();
  if (options.accept) leaveOut(options.accept, scores, mentions);
  const candidates = pickBest(scores, Math.max(CANDIDATES, limit), mentions.keys());
  addNearness(index, lookup, candidates, scores);
  for (const [document, mention] of mentions) scores[document] = (scores[document] ?? 0) + MENTION_SCORE[mention];
  const best = sortBest(index, candidates, scores).slice(0, limit);
  const matches = best.map((document) => describeMatch(index, lookup, document));
  const isCalled = best.some((document) => mentions.get(document) === 'called');
  return {
    hits: best.map((document, at) => ({
      id: idOf(index, document),
      score: Math.round((scores[document] ?? 0) * 1000) / 1000,
      matched: matches[at]?.words ?? [],
    })),
    abstained: !isCalled && isWeak(index, matches[0]),
  };
}

/** Filtered documents score nothing, named or not. */
function leaveOut(accept: (document: number) => boolean, scores: Float32Array, mentions: Map<number, Mention>): void {
  for (let document = 0; document < scores.length; document++) {
    if ((scores[document] ?? 0) > 0 && !accept(document)) scores[document] = 0;
  }
  for (const document of mentions.keys()) if (!accept(document)) mentions.delete(document);
}

/** About `count` documents with the highest scores, unsorted, plus those that must be included. */
function pickBest(scores: Float32Array, count: number, always: Iterable<number>): number[] {
  const chosen = new Set(always);
  const step = highest(scores) / STEPS;
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
    if (score > 0 && Math.floor(score / step) >= least) chosen.add(document);
  }
  return [...chosen];
}

/** Best first; equal scores by name, then id, so that the order never depends on how skills were found. */
function sortBest(index: RankIndex, candidates: readonly number[], scores: Float32Array): number[] {
  const positive = candidates.filter((document) => (scores[document] ?? 0) > 0);
  return positive.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || compareTexts(index, a, b));
}

function compareTexts(index: RankIndex, a: number, b: number): number {
  const [one, other] = [`${nameOf(index, a)}\n${idOf(index, a)}`, `${nameOf(index, b)}\n${idOf(index, b)}`];
  return one < other ? -1 : 1;
}

function isWeak(index: RankIndex, match: Match | undefined): boolean {
  if (!match) return true;
  const rareWord = WEAK_RARITY * rarity(0, index.size);
  return match.count < WEAK_COUNT && match.share < WEAK_SHARE && match.weight < rareWord;
}
