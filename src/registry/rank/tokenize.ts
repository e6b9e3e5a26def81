// The tokenizer of the search: Latin words stemmed and identifiers split, Chinese, Japanese and Korean as pairs of characters.
import words from './data/words.json' with { type: 'json' };
import { foldText } from './fold.ts';
import { stem } from './stem.ts';

/** `part` is a piece of an identifier that is also a term as a whole. */
type TokenKind = 'word' | 'number' | 'part' | 'pair';

export interface Token {
  readonly term: string;
  /** As it was written. */
  readonly surface: string;
  readonly kind: TokenKind;
}

/** The terms of one written word; a stop word has none. */
interface WordTerms {
  readonly term: string | undefined;
  readonly parts: readonly string[];
}

const STOP = new Set(words.stop.split(' '));
const COMMON = new Set(words.common.split(' '));

const SEPARATOR = 1;
const LETTER = 2;
const IDEOGRAPH = 3;
const classes = new Uint8Array(0x10000);

/** Terms in reading order. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  scanWords(foldText(text), (word, isIdeographic) => {
    if (isIdeographic) {
      for (const pair of pairsOf(word)) tokens.push({ term: pair, surface: pair, kind: 'pair' });
      return;
    }
    const { term, parts } = termsOf(word);
    if (term !== undefined) tokens.push({ term, surface: word, kind: isNumber(term) ? 'number' : 'word' });
    for (const part of parts) tokens.push({ term: part, surface: word, kind: 'part' });
  });
  return tokens;
}

/** Visits each run of letters and digits of folded text; ideographs and kana form runs of their own. */
export function scanWords(text: string, visit: (word: string, isIdeographic: boolean) => void): void {
  scanRanges(text, (start, end, isIdeographic) => visit(text.slice(start, end), isIdeographic));
}

/** The same without extracting substrings, which is what costs for millions of words. */
export function scanRanges(text: string, visit: (start: number, end: number, isIdeographic: boolean) => void): void {
  let start = 0;
  let current = SEPARATOR;
  for (let index = 0; index <= text.length; index++) {
    const kind = index < text.length ? classOf(text.charCodeAt(index)) : SEPARATOR;
    if (kind === current) continue;
    if (current !== SEPARATOR) {
      visit(start, index, current === IDEOGRAPH);
      if (current === LETTER && isApostrophe(text, index)) index = skipSuffix(text, index);
    }
    start = index;
    current = index < text.length ? classOf(text.charCodeAt(index)) : SEPARATOR;
  }
}

export function termsOf(word: string): WordTerms {
  const whole = isPluralAcronym(word) ? word.slice(0, -1) : word;
  const parts = splitIdentifier(whole);
  return {
    term: termOf(whole),
    parts: parts.length > 1 ? parts.flatMap((part) => (part.length > 1 ? (termOf(part) ?? []) : [])) : [],
  };
}

export function pairsOf(run: string): string[] {
  if (run.length === 1) return [run];
  return Array.from({ length: run.length - 1 }, (_, index) => run.slice(index, index + 2));
}

export function isStopWord(word: string): boolean {
  return STOP.has(word);
}

/** Common words: rare in the prose of skills, frequent in requests, insignificant in both. */
export function isCommonWord(word: string): boolean {
  return COMMON.has(word);
}

function termOf(word: string): string | undefined {
  const lower = word.toLowerCase();
  if (STOP.has(lower)) return undefined;
  return /^[a-z]+$/.test(lower) ? stem(lower) : lower;
}

function isNumber(term: string): boolean {
  return /^\d+$/.test(term);
}

function isPluralAcronym(word: string): boolean {
  return /^[A-Z]{2,}s$/.test(word);
}

/** camelCase and HTTPServer; other separators end a word anyway. */
function splitIdentifier(word: string): string[] {
  if (!/[a-z0-9][A-Z]|[A-Z]{2}[a-z]/.test(word)) return [word];
  return word
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(' ');
}

function classOf(code: number): number {
  const known = classes[code];
  if (known) return known;
  const found = classify(code);
  classes[code] = found;
  return found;
}

function classify(code: number): number {
  const character = String.fromCharCode(code);
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u30fc]/u.test(character)) {
    return /[\p{L}\u3005\u30fc]/u.test(character) ? IDEOGRAPH : SEPARATOR;
  }
  return /[\p{L}\p{N}\p{M}]/u.test(character) ? LETTER : SEPARATOR;
}

function isApostrophe(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code === 0x27 || code === 0x2019;
}

/** The endings 's, 't, 'll and the like, which are insignificant. */
function skipSuffix(text: string, apostrophe: number): number {
  let end = apostrophe + 1;
  while (end < text.length && classOf(text.charCodeAt(end)) === LETTER) end++;
  return end - apostrophe <= 3 ? end : apostrophe;
}
