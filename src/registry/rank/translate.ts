// A small list of Chinese and English words for the same thing, so that a request in one finds a skill written in the other.
import pairs from './data/zh-en.json' with { type: 'json' };
import { isStopWord, pairsOf, termsOf } from './tokenize.ts';

interface Lexicon {
  readonly toEnglish: ReadonlyMap<string, readonly string[]>;
  readonly toChinese: ReadonlyMap<string, readonly string[]>;
  readonly longest: number;
}

let lexicon: Lexicon | undefined;

/** English terms for the known words in a run of Chinese characters; the longest word wins. */
export function englishFor(run: string): { surface: string; terms: readonly string[] }[] {
  lexicon ??= readLexicon();
  const found: { surface: string; terms: readonly string[] }[] = [];
  for (let at = 0; at < run.length; ) {
    const length = longestWordAt(run, at, lexicon);
    const surface = run.slice(at, at + Math.max(1, length));
    if (length > 0) found.push({ surface, terms: lexicon.toEnglish.get(surface) ?? [] });
    at += surface.length;
  }
  return found;
}

/** Pairs of Chinese characters for an English term. */
export function chineseFor(term: string): readonly string[] {
  lexicon ??= readLexicon();
  return lexicon.toChinese.get(term) ?? [];
}

function longestWordAt(run: string, at: number, { toEnglish, longest }: Lexicon): number {
  for (let length = Math.min(longest, run.length - at); length > 0; length--) {
    if (toEnglish.has(run.slice(at, at + length))) return length;
  }
  return 0;
}

function readLexicon(): Lexicon {
  const toEnglish = new Map<string, readonly string[]>();
  const toChinese = new Map<string, string[]>();
  for (const [chinese, english] of Object.entries(pairs)) {
    const terms = english.split(' ').flatMap((word) => (isStopWord(word) ? [] : (termsOf(word).term ?? [])));
    toEnglish.set(chinese, terms);
    const [only] = terms;
    if (only !== undefined && terms.length === 1)
      toChinese.set(only, [...(toChinese.get(only) ?? []), ...pairsOf(chinese)]);
  }
  return { toEnglish, toChinese, longest: Math.max(...[...toEnglish.keys()].map((word) => word.length)) };
}
