// The forms in which the value of a variable is looked for, each as a run of bytes in one of the views of a text.
import { type Spelling, spellingOf } from './spelling.ts';
import { plainUnits, unescaped } from './units.ts';
import { fold, lettersIn, type ViewName } from './view.ts';

export interface Secret {
  readonly name: string;
  readonly value: string;
}

export interface Needle {
  readonly name: string;
  readonly view: ViewName;
  readonly bytes: Uint8Array;
  /** Of a plain value: what has to stand between its letters. Of others the letters alone are enough. */
  readonly spelling?: Spelling;
}

/** A shorter value is looked for as it is: in other forms it would be found in ordinary text. */
export const SHORTEST_ENCODED = 8;
/** A shorter value is not looked for at all. */
export const SHORTEST = 4;
const FEWEST_LETTERS = 6;
const PIECE = 256;

export function needlesFor({ name, value }: Secret): Needle[] {
  const length = [...value].length;
  if (length < SHORTEST) return [];
  if (length < SHORTEST_ENCODED) return [{ name, view: 'exact', bytes: Buffer.from(value) }];
  const needles = piecesOf(value).flatMap((piece) => [...plainNeedles(piece), ...encodedNeedles(Buffer.from(piece))]);
  return unlikeOthers(needles).map((needle) => ({ name, ...needle }));
}

/** A long value is searched for piece by piece, so that no match is longer than what is looked at together. */
function piecesOf(value: string): string[] {
  const characters = [...value];
  const count = Math.ceil(characters.length / PIECE);
  // All of about one length: one of a letter or two would be found everywhere.
  const seams = Array.from({ length: count + 1 }, (_, at) => Math.floor((at * characters.length) / count));
  return seams.slice(1).map((end, at) => characters.slice(seams[at], end).join(''));
}

type Form = Omit<Needle, 'name'>;

function plainNeedles(piece: string): Form[] {
  return spelledForms(piece).flatMap((bytes): Form[] => {
    const folded = fold(bytes);
    const letters = lettersIn(folded);
    const spaced = { view: 'letters', bytes: letters.bytes, spelling: spellingOf(folded) } as const;
    return [{ view: 'folded', bytes: folded }, ...(letters.bytes.length >= FEWEST_LETTERS ? [spaced] : [])];
  });
}

/** Forwards and backwards, in both cases, as programs write it that know bytes only, and as it reads where it holds escapes itself. */
function spelledForms(piece: string): Uint8Array[] {
  const backwards = [...piece].toReversed().join('');
  const texts = [piece, backwards].flatMap((text) => [text, text.toUpperCase(), text.toLowerCase()]);
  const forwards = Buffer.from(piece);
  const isLatin = [...piece].every((character) => character < '\u0100');
  const latin = isLatin ? [piece, backwards].map((text) => Buffer.from(text, 'latin1')) : [];
  const undone = [false, true].flatMap((quoted) => unescaped(forwards, quoted)?.bytes ?? []);
  return [...texts.map((text) => Buffer.from(text)), Buffer.from(forwards).reverse(), ...latin, ...undone];
}

const BASE32 = ['abcdefghijklmnopqrstuvwxyz234567', '0123456789abcdefghijklmnopqrstuv'];
const RADIXES: readonly (readonly [radix: number, digits: number])[] = [
  [16, 2],
  [10, 1],
  [8, 3],
  [2, 8],
];

/** Hex and other numbers, base32 and base64: digits and letters, whatever stands between them. */
function encodedNeedles(value: Buffer): Form[] {
  const numbers = RADIXES.map(([radix, width]) =>
    [...value].map((byte) => byte.toString(radix).padStart(width, '0')).join(''),
  );
  const base32 = BASE32.flatMap((alphabet) => coresOf(value, 5, (bytes) => inBase32(bytes, alphabet)));
  const base64 = coresOf(value, 6, (bytes) => bytes.toString('base64'));
  return [
    ...[...numbers, ...base32].map((text) => ({ view: 'letters', bytes: Buffer.from(text) }) as const),
    ...base64.map((text) => ({ view: 'base64', bytes: Buffer.from(text) }) as const),
  ];
}

/** The part of the encoding that is the same at every offset of the value in a longer text. */
function coresOf(value: Buffer, bits: number, encode: (bytes: Buffer) => string): string[] {
  const offsets = bits === 6 ? [0, 1, 2] : [0, 1, 2, 3, 4];
  return offsets.map((before) => {
    const padded = Buffer.concat([Buffer.alloc(before), value]);
    return encode(padded).slice(Math.ceil((before * 8) / bits), Math.floor((padded.length * 8) / bits));
  });
}

function inBase32(bytes: Buffer, alphabet: string): string {
  let text = '';
  let [held, bits] = [0, 0];
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet[(held >> (bits - 5)) & 31];
  }
  return text;
}

function unlikeOthers(needles: readonly Form[]): Form[] {
  return [...new Map(needles.map((needle) => [keyOf(needle), needle])).values()];
}

/** Backwards a value may have the same letters, and something else between them. */
function keyOf({ view, bytes, spelling }: Form): string {
  return JSON.stringify([view, Buffer.from(bytes).toString('latin1'), spelling?.between]);
}

/** The letters of a value, where it is long enough for its halves to be told from other text. */
export function lettersOf({ value }: Secret): Uint8Array | undefined {
  if ([...value].length < SHORTEST_ENCODED) return undefined;
  const { bytes } = lettersIn(plainUnits(Buffer.from(value)).bytes);
  return bytes.length >= SHORTEST_ENCODED ? bytes : undefined;
}
