// The search index: built from all skills, or from an earlier index and the skills that changed.
import { type GramIndex, GramWriter, indexGrams } from './gram.ts';
import { invert } from './invert.ts';
import type { Postings } from './postings.ts';
import { RANK_SETTINGS, type RankSettings } from './settings.ts';
import { FIELD_COUNT, PART, type RankDocument, type StreamWriter, scopeOf, WordCache, writeStream } from './stream.ts';
import { KeyTable, NumberList } from './table.ts';
import { packTexts, type Texts, textAt } from './text.ts';

export interface RankIndex {
  readonly settings: RankSettings;
  readonly size: number;
  /** Three texts a document: id, digest, name. */
  readonly texts: Texts;
  readonly terms: KeyTable;
  /** Term numbers of all documents, and where each field of each document begins. */
  readonly stream: Uint32Array;
  readonly fieldStart: Uint32Array;
  readonly words: Postings;
  /** The inverse document frequency of each term. */
  readonly rarity: Float32Array;
  readonly grams: GramIndex;
}

export const TEXTS_PER_DOCUMENT = 3;

export function buildRankIndex(documents: Iterable<RankDocument>, settings: RankSettings = RANK_SETTINGS): RankIndex {
  return collect(documents, settings, undefined);
}

/** Gives the same index as a full build. Of a document with a known digest, only id and name are read. */
export function updateRankIndex(earlier: RankIndex, documents: Iterable<RankDocument>): RankIndex {
  return collect(documents, earlier.settings, earlier);
}

export function idOf(index: RankIndex, document: number): string {
  return textAt(index.texts, document * TEXTS_PER_DOCUMENT);
}

/** Document numbers by digest. */
export function knownDigests(index: RankIndex): Map<string, number> {
  const known = new Map<string, number>();
  for (let document = 0; document < index.size; document++) {
    const digest = textAt(index.texts, document * TEXTS_PER_DOCUMENT + 1);
    if (digest !== '') known.set(digest, document);
  }
  return known;
}

export function nameOf(index: RankIndex, document: number): string {
  return textAt(index.texts, document * TEXTS_PER_DOCUMENT + 2);
}

function collect(documents: Iterable<RankDocument>, settings: RankSettings, earlier: RankIndex | undefined): RankIndex {
  const cache = new WordCache();
  const writer: StreamWriter = { terms: new KeyTable(), stream: new NumberList(), fieldStart: new NumberList(), cache };
  const grams = new GramWriter();
  const known = earlier ? knownDigests(earlier) : undefined;
  const texts: string[] = [];
  for (const document of documents) {
    texts.push(document.id, document.digest, document.name);
    const same = known?.get(document.digest);
    if (earlier && same !== undefined) {
      copyStream(earlier, same, writer);
      grams.copy(earlier.grams, same);
    } else {
      const scope = scopeOf(document, settings);
      writeStream(document, scope, writer);
      grams.write(document, scope);
    }
  }
  writer.fieldStart.push(writer.stream.length);
  const stream = writer.stream.take();
  const fieldStart = writer.fieldStart.take();
  return {
    settings,
    size: texts.length / TEXTS_PER_DOCUMENT,
    texts: packTexts(texts),
    terms: writer.terms,
    stream,
    fieldStart,
    ...invert(stream, fieldStart, writer.terms.size, settings),
    grams: indexGrams(grams),
  };
}

function copyStream(earlier: RankIndex, document: number, writer: StreamWriter): void {
  for (let field = 0; field < FIELD_COUNT; field++) {
    const place = document * FIELD_COUNT + field;
    writer.fieldStart.push(writer.stream.length);
    const end = earlier.fieldStart[place + 1] ?? 0;
    for (let at = earlier.fieldStart[place] ?? 0; at < end; at++) {
      const entry = earlier.stream[at] ?? 0;
      const number = (entry & ~PART) >>> 0;
      const moved = writer.terms.add(earlier.terms.lowOf(number), earlier.terms.highOf(number));
      writer.stream.push((moved | (entry & PART)) >>> 0);
    }
  }
}
