// A request as weighted terms: what it asks for counts fully, how it asks, and what it quotes, counts less.
import { foldText } from './fold.ts';
import type { RankSettings } from './rank-settings.ts';
import { chineseFor, englishFor } from './rank-translate.ts';
import { isCommonWord, scanWords, type Token, termsOf, tokenize } from './tokenize.ts';

export interface QueryTerm {
  readonly term: string;
  readonly surface: string;
  weight: number;
  readonly isPair: boolean;
}

export interface Query {
  readonly terms: readonly QueryTerm[];
  /** Positions in `terms`, in reading order; pieces of identifiers and translations are not in it. */
  readonly order: readonly number[];
}

const REQUEST_LIMIT = 20_000;
const TERM_LIMIT = 250;
/** One English word becomes several pairs of characters. */
const PAIR_SHARE = 0.5;
/** Long quotations are material to work on, not the wish itself. */
const QUOTED = /```[\s\S]*?```|"[^"]{80,}"|“[^”]{80,}”|「[^」]{80,}」|(?<!\w)'(?:[^']|(?<=\w)'(?=\w)){80,}'(?!\w)/g;

export function cutRequest(text: string): string {
  return text.slice(0, REQUEST_LIMIT);
}

export function readQuery(request: string, settings: RankSettings): Query {
  const collected = new Map<string, QueryTerm>();
  const order: number[] = [];
  const places = new Map<string, number>();
  const add = (term: string, surface: string, weight: number, isPair: boolean): void => {
    const known = collected.get(term);
    if (known) known.weight = Math.max(known.weight, weight);
    else if (collected.size < TERM_LIMIT) {
      places.set(term, collected.size);
      collected.set(term, { term, surface, weight, isPair });
    }
  };
  for (const { text, weight } of segments(request, settings)) {
    for (const token of tokenize(text)) {
      add(token.term, token.surface, weight * weightOf(token, settings), token.kind === 'pair');
      const place = places.get(token.term);
      if (place !== undefined && token.kind !== 'part') order.push(place);
    }
    if (settings.request.translated > 0) addTranslations(text, settings, weight, add);
  }
  return { terms: [...collected.values()], order };
}

function segments(request: string, settings: RankSettings): { text: string; weight: number }[] {
  if (settings.request.quoted === 1) return [{ text: request, weight: 1 }];
  const found: { text: string; weight: number }[] = [];
  let at = 0;
  for (const quoted of request.matchAll(QUOTED)) {
    found.push({ text: request.slice(at, quoted.index), weight: 1 });
    found.push({ text: quoted[0], weight: settings.request.quoted });
    at = quoted.index + quoted[0].length;
  }
  found.push({ text: request.slice(at), weight: 1 });
  return found;
}

function weightOf(token: Token, { request }: RankSettings): number {
  if (token.kind === 'pair') return request.pair;
  if (token.kind === 'number') return request.number;
  const weight = isCommonWord(token.surface.toLowerCase()) ? request.common : 1;
  return token.kind === 'part' ? weight * request.part : weight;
}

function addTranslations(
  text: string,
  { request }: RankSettings,
  weight: number,
  add: (term: string, surface: string, weight: number, isPair: boolean) => void,
): void {
  const english = weight * request.translated;
  const chinese = english * request.pair * PAIR_SHARE;
  scanWords(foldText(text), (word, isIdeographic) => {
    if (isIdeographic) {
      for (const { surface, terms } of englishFor(word)) for (const term of terms) add(term, surface, english, false);
    } else for (const pair of chineseFor(termsOf(word).term ?? '')) add(pair, word, chinese, false);
  });
}
