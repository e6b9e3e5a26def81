// The index as one file: a header with checksum, then flat arrays that are used in place, without parsing.
import { crc32 } from 'node:zlib';
import { canonicalJson } from '../../base/json.ts';
import han from './data/traditional.json' with { type: 'json' };
import words from './data/words.json' with { type: 'json' };
import type { RankIndex } from './index.ts';
import { TEXTS_PER_DOCUMENT } from './index.ts';
import { RANK_SETTINGS, type RankSettings } from './settings.ts';
import { FIELD_COUNT } from './stream.ts';
import { KeyTable } from './table.ts';

/** Increment whenever the arrays or the tokenizer change. */
const VERSION = 1;
const MAGIC = 0x53_57_52_49;
/** Magic, version, checksum of everything after it, what it was made with; then the byte length of each section. */
const HEADER_WORDS = 4;
const CHECKED_FROM = 12;

type View = Uint32Array | Uint16Array | Float32Array | Uint8Array;

export function serializeRankIndex(index: RankIndex): Uint8Array {
  return Buffer.concat(rankFileParts(index));
}

/** The same in parts, so that a large index is not copied to be written. */
export function rankFileParts(index: RankIndex): Uint8Array[] {
  const sections = sectionsOf(index);
  const header = new Uint32Array(HEADER_WORDS + sections.length);
  header.set([MAGIC, VERSION, 0, makingOf(index.settings)]);
  for (const [at, section] of sections.entries()) header[HEADER_WORDS + at] = section.byteLength;
  const body = sections.flatMap((section) => [bytesOf(section), padding(section.byteLength)]);
  const checked = [bytesOf(header).subarray(CHECKED_FROM), ...body];
  header[2] = checked.reduce((sum, part) => crc32(part, sum), 0);
  return [bytesOf(header), ...body];
}

/** Undefined for a file of another version, other settings, or damaged: the index is then rebuilt. */
export function deserializeRankIndex(bytes: Uint8Array, settings: RankSettings = RANK_SETTINGS): RankIndex | undefined {
  const file = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const sections = readSections(file, settings);
  if (!sections) return undefined;
  const index = assemble(sections, settings);
  return isConsistent(index) ? index : undefined;
}

function sectionsOf({ texts, terms, stream, fieldStart, words, rarity, grams }: RankIndex): View[] {
  const termKeys = terms.arrays();
  const gramKeys = grams.keys.arrays();
  return [
    ...[texts.bytes, texts.start, termKeys.low, termKeys.high, termKeys.slots, stream, fieldStart],
    ...[words.start, words.document, words.value, rarity],
    ...[gramKeys.low, gramKeys.high, gramKeys.slots, grams.bag, grams.bagStart],
    ...[grams.postings.start, grams.postings.document, grams.postings.value],
  ];
}

const SECTION_COUNT = 19;

function readSections(file: Uint8Array, settings: RankSettings): Uint8Array[] | undefined {
  const headerBytes = (HEADER_WORDS + SECTION_COUNT) * 4;
  if (file.byteLength < headerBytes) return undefined;
  const header = new Uint32Array(file.buffer, file.byteOffset, HEADER_WORDS + SECTION_COUNT);
  const expected = [MAGIC, VERSION, crc32(file.subarray(CHECKED_FROM)), makingOf(settings)];
  if (expected.some((word, at) => header[at] !== word)) return undefined;
  const sections: Uint8Array[] = [];
  let at = headerBytes;
  for (const length of header.subarray(HEADER_WORDS)) {
    sections.push(file.subarray(at, at + length));
    at += padded(length);
  }
  return at === file.byteLength ? sections : undefined;
}

/** Changes with the settings and with the word lists of the tokenizer. */
function makingOf(settings: RankSettings): number {
  return crc32(canonicalJson({ settings, han, words }));
}

function assemble(sections: readonly Uint8Array[], settings: RankSettings): RankIndex {
  const words32 = (at: number): Uint32Array => view(sections[at], Uint32Array);
  const values = (at: number): Uint16Array => view(sections[at], Uint16Array);
  const table = (at: number): KeyTable => {
    const low = words32(at);
    return new KeyTable(low, words32(at + 1), words32(at + 2), low.length);
  };
  const starts = words32(1);
  return {
    settings,
    size: (starts.length - 1) / TEXTS_PER_DOCUMENT,
    texts: { bytes: sections[0] ?? new Uint8Array(), start: starts },
    terms: table(2),
    stream: words32(5),
    fieldStart: words32(6),
    words: { start: words32(7), document: words32(8), value: values(9) },
    rarity: view(sections[10], Float32Array),
    grams: {
      keys: table(11),
      bag: words32(14),
      bagStart: words32(15),
      postings: { start: words32(16), document: words32(17), value: values(18) },
    },
  };
}

/** The checksum detects damage; this detects a file some other program made. */
function isConsistent({ size, fieldStart, terms, words, rarity, grams }: RankIndex): boolean {
  return (
    Number.isInteger(size) &&
    fieldStart.length === size * FIELD_COUNT + 1 &&
    words.start.length === terms.size + 1 &&
    rarity.length === terms.size &&
    words.document.length === words.value.length &&
    grams.bagStart.length === size + 1 &&
    grams.postings.start.length === grams.keys.size + 1 &&
    grams.postings.document.length === grams.postings.value.length
  );
}

function view<T>(
  section: Uint8Array | undefined,
  type: { new (buffer: ArrayBufferLike, offset: number, length: number): T; readonly BYTES_PER_ELEMENT: number },
): T {
  const bytes = section ?? new Uint8Array();
  return new type(bytes.buffer, bytes.byteOffset, Math.floor(bytes.byteLength / type.BYTES_PER_ELEMENT));
}

function bytesOf({ buffer, byteOffset, byteLength }: View): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Sections are aligned for every array type. */
function padded(length: number): number {
  return Math.ceil(length / 4) * 4;
}

function padding(length: number): Uint8Array {
  return new Uint8Array(padded(length) - length);
}
