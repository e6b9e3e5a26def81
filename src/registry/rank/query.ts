// A request as weighted query terms: its subject has full weight; how it asks, and what it quotes, has less.
import { foldText } from './fold.ts';
import type { RankSettings } from './settings.ts';
import { isCommonWord, scanWords, type Token, termsOf, tokenize } from './tokenize.ts';
import { chineseFor, englishFor } from './translate.ts';

type TermKind = Token['kind'] | 'translation';

interface QueryTerm {
  readonly term: string;
  /** The word of the request it came from. */
  readonly surface: string;
  readonly kind: TermKind;
  weight: number;
}

export interface Query {
  readonly terms: readonly QueryTerm[];
  /** Positions in `terms`, in reading order; without pieces of identifiers and translations. */
  readonly order: readonly number[];
}

const REQUEST_LIMIT = 20_000;
const TERM_LIMIT = 400;
/** One English word becomes several pairs of characters. */
const PAIR_SHARE = 0.5;
/** Long quotations are material to work on, not the request itself. */
const QUOTED = /```[\s\S]*?```|"[^"]{80,}"|“[^”]{80,}”|「[^」]{80,}」|(?<!\w)'(?:[^']|(?<=\w)'(?=\w)){80,}'(?!\w)/g;

export function cutRequest(text: string): string {
  return text.slice(0, REQUEST_LIMIT);
}

export function readQuery(request: string, settings: RankSettings): Query {
  const collector = new Collector();
  for (const { text, weight } of segments(request, settings)) {
    for (const token of tokenize(text)) collector.addToken(token, weight * weightOf(token, settings));
    if (settings.request.translated > 0) addTranslations(text, settings, weight, collector);
  }
  return collector;
}

class Collector implements Query {
  readonly terms: QueryTerm[] = [];
  readonly order: number[] = [];
  readonly #places = new Map<string, number>();

  addToken(token: Token, weight: number): void {
    const place = this.add(token.term, token.surface, token.kind, weight);
    if (place !== undefined && token.kind !== 'part') this.order.push(place);
  }

  add(term: string, surface: string, kind: TermKind, weight: number): number | undefined {
    const place = this.#places.get(term);
    const known = place === undefined ? undefined : this.terms[place];
    if (known) {
      known.weight = Math.max(known.weight, weight);
      return place;
    }
    if (this.terms.length === TERM_LIMIT) return undefined;
    this.#places.set(term, this.terms.length);
    return this.terms.push({ term, surface, kind, weight }) - 1;
  }
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

function addTranslations(text: string, { request }: RankSettings, weight: number, to: Collector): void {
  const english = weight * request.translated;
  const chinese = english * request.pair * PAIR_SHARE;
  scanWords(foldText(text), (word, isIdeographic) => {
    if (isIdeographic) {
      for (const { surface, terms } of englishFor(word)) {
        for (const term of terms) to.add(term, surface, 'translation', english);
      }
    } else for (const pair of chineseFor(termsOf(word).term ?? '')) to.add(pair, word, 'translation', chinese);
  });
}
