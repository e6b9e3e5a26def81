// A skill as numbers: its terms in reading order, field by field. Stored in the index, so that an unchanged skill is never read again.
import { splitExclusions } from './exclusion.ts';
import { foldText } from './fold.ts';
import type { RankSettings } from './settings.ts';
import { KeyTable, type NumberList } from './table.ts';
import { pairsOf, scanRanges, scanWords, termsOf } from './tokenize.ts';

export interface RankDocument {
  readonly id: string;
  /** Changes with the content; an empty one never counts as unchanged. */
  readonly digest: string;
  readonly name: string;
  readonly description: string;
  readonly headings?: readonly string[];
  readonly bodyStart?: string;
  readonly examples?: readonly string[];
}

/** Fields of a stream; the last holds marks (`=name` and `!term`), which are looked up but never scored as text. */
const FIELDS = ['name', 'description', 'headings', 'body', 'examples', 'marks'] as const;
export const FIELD_COUNT = FIELDS.length;
export const MARKS = FIELD_COUNT - 1;

/** Set on the pieces of an identifier, which share the position of the whole. */
export const PART = 0x80000000;

const BODY_LIMIT = 2000;

const NOTHING = 0xffffffff;
const SEVERAL = 0xfffffffe;

/** A cache of written words to terms, so that each is stemmed and looked up once. */
export class WordCache {
  readonly #written = new KeyTable();
  /** Most words are one term: its number is stored here directly. */
  #single = new Uint32Array(1024);
  readonly #several = new Map<number, readonly number[]>();
  #known = 0;

  visit(text: string, start: number, end: number, read: (word: string) => readonly number[], put: Put): void {
    const at = this.#written.addText(text, start, end);
    if (at === this.#known) this.#learn(read(text.slice(start, end)));
    const single = this.#single[at] ?? NOTHING;
    if (single < SEVERAL) put(single);
    else if (single === SEVERAL) this.#several.get(at)?.forEach(put);
  }

  #learn(numbers: readonly number[]): void {
    const at = this.#known++;
    if (at === this.#single.length) {
      const grown = new Uint32Array(at * 2);
      grown.set(this.#single);
      this.#single = grown;
    }
    const [first = NOTHING] = numbers;
    this.#single[at] = numbers.length > 1 ? SEVERAL : first;
    if (numbers.length > 1) this.#several.set(at, numbers);
  }
}

type Put = (number: number) => void;

export interface StreamWriter {
  readonly terms: KeyTable;
  readonly stream: NumberList;
  readonly fieldStart: NumberList;
  readonly cache: WordCache;
}

export function writeStream(document: RankDocument, { included, excluded }: Scope, writer: StreamWriter): void {
  const fields = [
    document.name,
    included,
    (document.headings ?? []).join('\n'),
    (document.bodyStart ?? '').slice(0, BODY_LIMIT),
    (document.examples ?? []).join('\n'),
  ];
  const positive = new Set<number>();
  for (const [field, text] of fields.entries()) {
    writer.fieldStart.push(writer.stream.length);
    writeText(text, writer, field < 2 ? positive : undefined);
  }
  writer.fieldStart.push(writer.stream.length);
  writer.stream.push(writer.terms.addText(`=${nameKey(document.name)}`));
  for (const term of excludedTerms(excluded)) {
    const number = findTerm(writer.terms, term);
    if (number >= 0 && positive.has(number)) continue;
    writer.stream.push(writer.terms.addText(`!${term}`));
  }
}

/** What the description says the skill is for, and what it excludes. */
export interface Scope {
  readonly included: string;
  readonly excluded: string;
}

export function scopeOf(document: RankDocument, settings: RankSettings): Scope {
  return settings.exclusions ? splitExclusions(document.description) : { included: document.description, excluded: '' };
}

/** How a name is compared: letters folded, spaces and underscores as hyphens. */
export function nameKey(name: string): string {
  return foldText(name)
    .toLowerCase()
    .trim()
    .replace(/[\s_]+/g, '-');
}

export function findTerm(terms: KeyTable, term: string): number {
  return terms.findText(term);
}

function writeText(text: string, writer: StreamWriter, met: Set<number> | undefined): void {
  const folded = foldText(text);
  const put = (number: number): void => {
    writer.stream.push(number);
    met?.add((number & ~PART) >>> 0);
  };
  const read = (word: string) => wordNumbers(word, writer.terms);
  scanRanges(folded, (start, end, isIdeographic) => {
    if (isIdeographic) return writePairs(folded, start, end, writer.terms, put);
    writer.cache.visit(folded, start, end, read, put);
  });
}

function wordNumbers(word: string, terms: KeyTable): readonly number[] {
  const { term, parts } = termsOf(word);
  const whole = term === undefined ? [] : [terms.addText(term)];
  return [...whole, ...parts.map((part) => (terms.addText(part) | PART) >>> 0)];
}

function writePairs(text: string, start: number, end: number, terms: KeyTable, put: (number: number) => void): void {
  const last = Math.max(start + 1, end - 1);
  for (let at = start; at < last; at++) {
    const until = Math.min(at + 2, end);
    put(terms.addText(text, at, until));
  }
}

function excludedTerms(text: string): Set<string> {
  const terms = new Set<string>();
  if (text === '') return terms;
  scanWords(foldText(text), (word, isIdeographic) => {
    const found = isIdeographic ? pairsOf(word) : [termsOf(word).term ?? ''];
    for (const term of found) if (term !== '') terms.add(term);
  });
  return terms;
}
