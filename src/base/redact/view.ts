// Three views of the same bytes in which an encoding is one run of characters: all of them in one case, letters and digits, base64.
import { once } from '../once.ts';
import type { Units } from './units.ts';

export const VIEWS = ['exact', 'folded', 'letters', 'base64'] as const;
export type ViewName = (typeof VIEWS)[number];

export interface TextView {
  readonly bytes: Uint8Array;
  /** Which unit each of them is, found out when it is asked for; absent where every unit is there. */
  readonly places?: () => Uint32Array;
}

export type TextViews = Readonly<Record<ViewName, TextView>>;

/** In one case, and `+` as the space it is in a URL. */
const FOLDED = new Uint8Array(256);
/** Letters and digits in one case, and whatever is no ASCII; 0 for what stands between them. */
const LETTERS = new Uint8Array(256);
/** Both alphabets of base64 as one. */
const BASE64 = new Uint8Array(256);

for (let byte = 0; byte < 256; byte++) {
  const character = String.fromCharCode(byte);
  const folded = byte < 0x80 ? character.toLowerCase().charCodeAt(0) : byte;
  FOLDED[byte] = character === '+' ? 0x20 : folded;
  if (byte >= 0x80 || /[a-z0-9]/i.test(character)) LETTERS[byte] = folded;
  if (/[a-z0-9+/]/i.test(character)) BASE64[byte] = byte;
}
BASE64['-'.charCodeAt(0)] = '+'.charCodeAt(0);
BASE64['_'.charCodeAt(0)] = '/'.charCodeAt(0);

const IS_LETTER = LETTERS.map(Math.sign);
const IS_BASE64 = BASE64.map(Math.sign);

export function isLetter(byte: number): boolean {
  return LETTERS[byte] !== 0;
}

export function viewsOf({ bytes }: Units): TextViews {
  return { exact: { bytes }, folded: { bytes: fold(bytes) }, letters: lettersIn(bytes), base64: base64In(bytes) };
}

export function fold(bytes: Uint8Array): Uint8Array {
  const folded = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at++) folded[at] = FOLDED[bytes[at] as number] as number;
  return folded;
}

const [ZERO, SMALL_X] = [0x30, 0x78];

/** Without what stands between them, nor the `0x` before a number. */
export function lettersIn(bytes: Uint8Array): Required<TextView> {
  const kept = new Uint8Array(bytes.length);
  return { bytes: kept.subarray(0, keepLetters(bytes, kept)), places: once(() => placesOf(bytes, keepLetters)) };
}

function base64In(bytes: Uint8Array): TextView {
  const kept = new Uint8Array(bytes.length);
  return { bytes: kept.subarray(0, keepBase64(bytes, kept)), places: once(() => placesOf(bytes, keepBase64)) };
}

/** Few texts hold a value: only of those it matters where. */
function placesOf(
  bytes: Uint8Array,
  keep: (from: Uint8Array, to: Uint8Array, places: Uint32Array) => number,
): Uint32Array {
  const places = new Uint32Array(bytes.length);
  return places.subarray(0, keep(bytes, new Uint8Array(bytes.length), places));
}

// Without a branch on each byte: what is not kept is written over by the next.
function keepLetters(from: Uint8Array, to: Uint8Array, places?: Uint32Array): number {
  let count = 0;
  for (let at = 0; at < from.length; at++) {
    const byte = from[at] as number;
    const letter = LETTERS[byte] as number;
    if (places) places[count] = at;
    to[count] = letter;
    count += IS_LETTER[byte] as number;
    if (letter === SMALL_X && isPrefix(from, at)) count -= 2;
  }
  return count;
}

/** Whether the x at this place belongs to a `0x`. */
function isPrefix(bytes: Uint8Array, at: number): boolean {
  if (bytes[at - 1] !== ZERO || isLetter(bytes[at - 2] ?? 0)) return false;
  return /[0-9a-f]/i.test(String.fromCharCode(bytes[at + 1] ?? 0));
}

function keepBase64(from: Uint8Array, to: Uint8Array, places?: Uint32Array): number {
  let count = 0;
  for (let at = 0; at < from.length; at++) {
    const byte = from[at] as number;
    if (places) places[count] = at;
    to[count] = BASE64[byte] as number;
    count += IS_BASE64[byte] as number;
  }
  return count;
}
