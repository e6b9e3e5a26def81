// Character 4-grams of Latin words: they find what stemming misses, such as "finetuning" for "fine-tuning".
import { foldText } from './fold.ts';
import type { Postings } from './postings.ts';
import { emptyPostings, quantize, rarity } from './postings.ts';
import type { RankDocument, Scope } from './stream.ts';
import { KeyTable, NumberList } from './table.ts';
import { isStopWord, scanWords } from './tokenize.ts';

/** The weight of a gram of each field, in thirds. */
const NAME_THIRDS = 9;
const DESCRIPTION_THIRDS = 3;
const HEADING_THIRDS = 1;
const COUNT_LIMIT = 255;
const SATURATION = 0.8;
const LENGTH_PENALTY = 0.4;

export interface GramIndex {
  readonly keys: KeyTable;
  /** Grams of each document: number × 256 + count in thirds. */
  readonly bag: Uint32Array;
  readonly bagStart: Uint32Array;
  readonly postings: Postings;
}

/** Visits the grams of a text as pairs of two characters each. */
export function scanGrams(
  text: string,
  skip: (word: string) => boolean,
  visit: (low: number, high: number) => void,
): void {
  let run = ' ';
  const finish = (): void => {
    for (let at = 0; at + 4 <= run.length; at++) {
      const low = run.charCodeAt(at) | (run.charCodeAt(at + 1) << 16);
      visit(low >>> 0, (run.charCodeAt(at + 2) | (run.charCodeAt(at + 3) << 16)) >>> 0);
    }
    run = ' ';
  };
  scanWords(foldText(text), (word, isIdeographic) => {
    if (isIdeographic) return finish();
    const lower = word.toLowerCase();
    if (!skip(lower)) run += `${lower} `;
  });
  finish();
}

/** Collects the grams of documents one after another. */
export class GramWriter {
  readonly keys = new KeyTable();
  readonly bag = new NumberList();
  readonly bagStart = new NumberList();
  #counts = new Uint16Array(1024);

  write(document: RankDocument, { included }: Scope): void {
    const met: number[] = [];
    const add = (text: string, thirds: number): void =>
      scanGrams(text, isStopWord, (low, high) => this.#count(this.keys.add(low, high), thirds, met));
    add(document.name, NAME_THIRDS);
    add(included, DESCRIPTION_THIRDS);
    for (const heading of document.headings ?? []) add(heading, HEADING_THIRDS);
    this.#finish(met);
  }

  /** Copies the grams of a document from an earlier index. */
  copy(earlier: GramIndex, document: number): void {
    this.bagStart.push(this.bag.length);
    const end = earlier.bagStart[document + 1] ?? 0;
    for (let at = earlier.bagStart[document] ?? 0; at < end; at++) {
      const entry = earlier.bag[at] ?? 0;
      const number = this.keys.add(earlier.keys.lowOf(entry >>> 8), earlier.keys.highOf(entry >>> 8));
      this.bag.push(((number << 8) | (entry & 0xff)) >>> 0);
    }
  }

  #count(number: number, thirds: number, met: number[]): void {
    if (number >= this.#counts.length) {
      const grown = new Uint16Array(this.#counts.length * 2);
      grown.set(this.#counts);
      this.#counts = grown;
    }
    const before = this.#counts[number] ?? 0;
    if (before === 0) met.push(number);
    this.#counts[number] = Math.min(COUNT_LIMIT, before + thirds);
  }

  #finish(met: number[]): void {
    this.bagStart.push(this.bag.length);
    for (const number of met) {
      this.bag.push(((number << 8) | (this.#counts[number] ?? 0)) >>> 0);
      this.#counts[number] = 0;
    }
  }
}

export function indexGrams(writer: GramWriter): GramIndex {
  writer.bagStart.push(writer.bag.length);
  const bag = writer.bag.take();
  const bagStart = writer.bagStart.take();
  return { keys: writer.keys, bag, bagStart, postings: invertBags(bag, bagStart, writer.keys.size) };
}

function invertBags(bag: Uint32Array, bagStart: Uint32Array, keys: number): Postings {
  const documents = bagStart.length - 1;
  const holders = new Uint32Array(keys);
  for (const entry of bag) holders[entry >>> 8] = (holders[entry >>> 8] ?? 0) + 1;
  const postings = emptyPostings(holders);
  const rare = Float32Array.from(holders, (count) => rarity(count, documents));
  const next = postings.start.slice();
  const lengths = bagLengths(bag, bagStart);
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, documents);
  for (let document = 0; document < documents; document++) {
    const norm = 1 - LENGTH_PENALTY + (LENGTH_PENALTY * (lengths[document] ?? 0)) / Math.max(1, average);
    const end = bagStart[document + 1] ?? 0;
    for (let at = bagStart[document] ?? 0; at < end; at++) {
      const entry = bag[at] ?? 0;
      const frequency = (entry & 0xff) / 3 / norm;
      const place = next[entry >>> 8] ?? 0;
      next[entry >>> 8] = place + 1;
      postings.document[place] = document;
      postings.value[place] = quantize(((rare[entry >>> 8] ?? 0) * frequency) / (SATURATION + frequency));
    }
  }
  return postings;
}

function bagLengths(bag: Uint32Array, bagStart: Uint32Array): Float64Array {
  const lengths = new Float64Array(bagStart.length - 1);
  for (let document = 0; document < lengths.length; document++) {
    let length = 0;
    const end = bagStart[document + 1] ?? 0;
    for (let at = bagStart[document] ?? 0; at < end; at++) length += ((bag[at] ?? 0) & 0xff) / 3;
    lengths[document] = length;
  }
  return lengths;
}
