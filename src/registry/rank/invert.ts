// From the term streams of all documents to word postings: BM25F over the fields, computed once when the index is built.
import { emptyPostings, type Postings, quantize, rarity } from './postings.ts';
import type { RankSettings } from './settings.ts';
import { FIELD_COUNT, MARKS, PART } from './stream.ts';

export function invert(
  stream: Uint32Array,
  fieldStart: Uint32Array,
  terms: number,
  settings: RankSettings,
): { words: Postings; rarity: Float32Array } {
  const documents = (fieldStart.length - 1) / FIELD_COUNT;
  const { holders, nameHolders } = countHolders(stream, fieldStart, terms);
  const words = emptyPostings(holders);
  const rare = Float32Array.from(holders, (count) => rarity(count, documents));
  const next = words.start.slice();
  const frequency = new Float32Array(terms);
  const worthOfField = fieldWorth(fieldStart, settings);
  const put = (term: number, document: number, value: number): void => {
    const place = next[term] ?? 0;
    next[term] = place + 1;
    words.document[place] = document;
    words.value[place] = quantize(value);
  };
  for (let document = 0; document < documents; document++) {
    const first = document * FIELD_COUNT;
    const met = sumFrequencies(stream, fieldStart, document, worthOfField, frequency);
    const nameEnd = fieldStart[first + 1] ?? 0;
    const inName = new Set(stream.subarray(fieldStart[first] ?? 0, nameEnd));
    for (const term of met) {
      const count = frequency[term] ?? 0;
      frequency[term] = 0;
      const bonus = inName.has(term)
        ? (settings.nameBonus * rarity(nameHolders[term] ?? 0, documents)) / Math.sqrt(inName.size)
        : 0;
      put(term, document, ((rare[term] ?? 0) * count) / (settings.saturation + count) + bonus);
    }
    const end = fieldStart[first + FIELD_COUNT] ?? 0;
    for (let at = fieldStart[first + MARKS] ?? 0; at < end; at++) put(stream[at] ?? 0, document, 1);
  }
  return { words, rarity: rare };
}

function countHolders(
  stream: Uint32Array,
  fieldStart: Uint32Array,
  terms: number,
): { holders: Uint32Array; nameHolders: Uint32Array } {
  const holders = new Uint32Array(terms);
  const nameHolders = new Uint32Array(terms);
  const lastIn = new Uint32Array(terms);
  const lastName = new Uint32Array(terms);
  for (let place = 0; place < fieldStart.length - 1; place++) {
    const document = Math.floor(place / FIELD_COUNT) + 1;
    const end = fieldStart[place + 1] ?? 0;
    for (let at = fieldStart[place] ?? 0; at < end; at++) {
      const entry = stream[at] ?? 0;
      const term = (entry & ~PART) >>> 0;
      if (lastIn[term] !== document) holders[term] = (holders[term] ?? 0) + 1;
      lastIn[term] = document;
      if (place % FIELD_COUNT !== 0 || entry !== term) continue;
      if (lastName[term] !== document) nameHolders[term] = (nameHolders[term] ?? 0) + 1;
      lastName[term] = document;
    }
  }
  return { holders, nameHolders };
}

/** The weight of one word of a field, normalized by the length of that field. */
function fieldWorth(fieldStart: Uint32Array, settings: RankSettings): (document: number, field: number) => number {
  const { name, description, headings, body, examples } = settings.fields;
  const weights = [name, description, headings, body, examples];
  const documents = (fieldStart.length - 1) / FIELD_COUNT;
  const lengthOf = (document: number, field: number): number =>
    (fieldStart[document * FIELD_COUNT + field + 1] ?? 0) - (fieldStart[document * FIELD_COUNT + field] ?? 0);
  const averages = weights.map((_, field) => {
    let total = 0;
    let filled = 0;
    for (let document = 0; document < documents; document++) {
      const length = lengthOf(document, field);
      total += length;
      if (length > 0) filled++;
    }
    return total / Math.max(1, filled);
  });
  return (document, field) => {
    const ratio = lengthOf(document, field) / Math.max(1, averages[field] ?? 1);
    return (weights[field] ?? 0) / (1 - settings.lengthPenalty + settings.lengthPenalty * ratio);
  };
}

function sumFrequencies(
  stream: Uint32Array,
  fieldStart: Uint32Array,
  document: number,
  worthOfField: (document: number, field: number) => number,
  frequency: Float32Array,
): number[] {
  const met: number[] = [];
  for (let field = 0; field < MARKS; field++) {
    const place = document * FIELD_COUNT + field;
    const end = fieldStart[place + 1] ?? 0;
    const worth = worthOfField(document, field);
    for (let at = fieldStart[place] ?? 0; at < end; at++) {
      const term = ((stream[at] ?? 0) & ~PART) >>> 0;
      const before = frequency[term] ?? 0;
      if (before === 0) met.push(term);
      frequency[term] = before + worth;
    }
  }
  return met;
}
