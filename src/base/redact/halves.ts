// Finds values that were split over two streams: one part in each, or letter by letter to one and the other.
import type { FoundSecret } from './finder.ts';
import { lettersOf, type Secret } from './needle.ts';
import { searchFor } from './search.ts';
import { lettersIn, type TextView } from './view.ts';

export type Pair<Part> = readonly [Part, Part];

const FEWEST = 3;
const LONGEST_CHUNK = 8;

type Half =
  | { readonly of: Value; readonly bytes: Uint8Array; readonly kind: 'begin' | 'end' }
  | {
      readonly of: Value;
      readonly bytes: Uint8Array;
      readonly kind: 'comb';
      readonly chunk: number;
      readonly odd: 0 | 1;
    };

interface Value {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly letters: Uint8Array;
}

interface FoundHalf {
  readonly half: Half;
  /** Of how many letters. */
  readonly length: number;
  readonly start: number;
  readonly end: number;
}

export type FindHalves = (streams: Pair<Uint8Array>) => Pair<FoundSecret[]>;

export function createHalvesFinder(secrets: readonly Secret[]): FindHalves {
  const values = secrets.flatMap((secret): Value[] => {
    const letters = lettersOf(secret);
    return letters ? [{ name: secret.name, bytes: Buffer.from(secret.value), letters }] : [];
  });
  const halves = values.flatMap(halvesOf);
  // The ends are short and are looked for by themselves: the others are found in longer steps.
  const isEnd = ({ kind }: Half) => kind !== 'comb';
  const searches = [searchFor(halves.filter(isEnd)), searchFor(halves.filter((half) => !isEnd(half)))];
  const findIn = (stream: Uint8Array): FoundHalf[] => {
    const view = lettersIn(stream);
    const found: FoundHalf[] = [];
    for (const search of searches) search(view.bytes, (half, at) => found.push(grown(half, at, view)));
    return found;
  };
  return ([first, second]) => {
    if (values.length === 0 || first.length === 0 || second.length === 0) return [[], []];
    const found: Pair<FoundHalf[]> = [findIn(first), findIn(second)];
    return [completed(found[0], found[1]), completed(found[1], found[0])];
  };
}

function halvesOf(of: Value): Half[] {
  const { letters } = of;
  const ends: Half[] = [
    { of, kind: 'begin', bytes: letters.subarray(0, FEWEST) },
    { of, kind: 'end', bytes: letters.subarray(-FEWEST) },
  ];
  const chunks = Array.from({ length: LONGEST_CHUNK }, (_, index) => index + 1);
  const combs = chunks.flatMap((chunk) =>
    ([0, 1] as const).map((odd): Half => ({ of, kind: 'comb', chunk, odd, bytes: combed(of.bytes, chunk, odd) })),
  );
  return [...ends, ...combs.filter(({ bytes }) => bytes.length >= FEWEST)];
}

/** The letters of every second chunk of so many characters. */
function combed(bytes: Uint8Array, chunk: number, odd: 0 | 1): Uint8Array {
  return lettersIn(bytes.filter((_, at) => Math.floor(at / chunk) % 2 === odd)).bytes;
}

/** As far as it goes on like the value. */
function grown(half: Half, at: number, { bytes, places }: Required<TextView>): FoundHalf {
  const { letters } = half.of;
  let [first, last] = [at, at + half.bytes.length - 1];
  if (half.kind === 'begin')
    while (last - first + 1 < letters.length && bytes[last + 1] === letters[last - first + 1]) last++;
  if (half.kind === 'end')
    while (last - first + 1 < letters.length && first > 0 && bytes[first - 1] === letters.at(first - last - 2)) first--;
  return { half, length: last - first + 1, start: places()[first] ?? 0, end: (places()[last] ?? 0) + 1 };
}

/** Those for which the other stream has what they lack. */
function completed(here: readonly FoundHalf[], there: readonly FoundHalf[]): FoundSecret[] {
  const longest = new Map<string, number>();
  for (const { half, length } of there) {
    const key = keyOf(half);
    longest.set(key, Math.max(longest.get(key) ?? 0, length));
  }
  return here.flatMap(({ half, length, start, end }) => {
    const other = longest.get(keyOf(missingOf(half)));
    const isWhole = other !== undefined && (half.kind === 'comb' || length + other >= half.of.letters.length);
    return isWhole ? [{ name: half.of.name, start, end }] : [];
  });
}

type Kind = { readonly of: Value; readonly kind: Half['kind']; readonly chunk?: number; readonly odd?: 0 | 1 };

function missingOf(half: Half): Kind {
  if (half.kind === 'comb') return { of: half.of, kind: 'comb', chunk: half.chunk, odd: half.odd === 0 ? 1 : 0 };
  return { of: half.of, kind: half.kind === 'begin' ? 'end' : 'begin' };
}

function keyOf({ of, kind, ...comb }: Kind): string {
  return kind === 'comb' ? `${of.name} ${comb.chunk} ${comb.odd}` : `${of.name} ${kind}`;
}
