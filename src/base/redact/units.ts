// Text as the bytes it means: as it stands, or with the escapes of JSON, programs, shells, URLs, HTML and mail undone.
import { once } from '../once.ts';

export interface Units {
  readonly bytes: Uint8Array;
  /** Where each of them begins in the text, found out when it is asked for; absent where they are the text itself. */
  readonly starts?: () => Uint32Array;
  /** How long the text is. */
  readonly textLength: number;
}

export function plainUnits(text: Uint8Array): Units {
  return { bytes: text, textLength: text.length };
}

/** The part of the text that these units come from. */
export function spanOfUnits(first: number, last: number, units: Units): { start: number; end: number } {
  const starts = units.starts?.();
  if (!starts) return { start: first, end: last + 1 };
  const from = starts[last] ?? 0;
  let next = last + 1;
  // A character that was one escape is several bytes.
  while (next < starts.length && starts[next] === from) next++;
  return { start: starts[first] ?? 0, end: starts[next] ?? units.textLength };
}

/** Undefined where nothing is escaped. `quotedPrintable`: `=41`, too, which elsewhere is the begin of a value. */
export function unescaped(text: Uint8Array, quotedPrintable: boolean): Units | undefined {
  if (!hasEscapes(text, quotedPrintable)) return undefined;
  const bytes = new Unescaper(text, quotedPrintable).run();
  const starts = once(() => {
    const places = new Uint32Array(text.length);
    return places.subarray(0, new Unescaper(text, quotedPrintable, places).run().length);
  });
  return { bytes, starts, textLength: text.length };
}

const [BACKSLASH, PERCENT, AMPERSAND, EQUALS, LINE, RETURN] = [0x5c, 0x25, 0x26, 0x3d, 0x0a, 0x0d];
const [SMALL_U, LARGE_U, SMALL_X, HASH, SEMICOLON, OPEN, CLOSE] = [0x75, 0x55, 0x78, 0x23, 0x3b, 0x7b, 0x7d];

const ESCAPES = new Uint8Array(256);
for (const sign of [BACKSLASH, PERCENT, AMPERSAND, EQUALS]) ESCAPES[sign] = 1;

function hasEscapes(text: Uint8Array, quotedPrintable: boolean): boolean {
  if (!quotedPrintable) return [BACKSLASH, PERCENT, AMPERSAND].some((sign) => text.includes(sign));
  for (let at = text.indexOf(EQUALS); at >= 0; at = text.indexOf(EQUALS, at + 1))
    if (quotedLength(text, at) > 0) return true;
  return false;
}

/** `=41`, or a line that goes on. */
function quotedLength(text: Uint8Array, at: number): number {
  if (text[at + 1] === LINE) return 2;
  if (text[at + 1] === RETURN && text[at + 2] === LINE) return 3;
  return digits(text, at + 1, 2, 16) >= 0 ? 3 : 0;
}

const NIBBLES = new Int8Array(256).fill(-1);
for (let digit = 0; digit < 16; digit++) {
  const written = digit.toString(16);
  NIBBLES[written.charCodeAt(0)] = digit;
  NIBBLES[written.toUpperCase().charCodeAt(0)] = digit;
}

/** Exactly so many digits as a number; -1 where there are other characters. */
function digits(text: Uint8Array, at: number, count: number, radix: number): number {
  let value = 0;
  for (let place = 0; place < count; place++) {
    const digit = NIBBLES[text[at + place] ?? 0] ?? -1;
    if (digit < 0 || digit >= radix) return -1;
    value = value * radix + digit;
  }
  return value;
}

const CONTROLS = new Map(
  [...'nrtbfvae0'].map((letter, at) => [letter.charCodeAt(0), [10, 13, 9, 8, 12, 11, 7, 27, 0][at] ?? 0]),
);
const NAMED = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
]);
const LONGEST_NAME = 12;

class Unescaper {
  readonly #text: Uint8Array;
  readonly #quoted: boolean;
  readonly #bytes: Uint8Array;
  readonly #starts: Uint32Array | undefined;
  #length = 0;

  constructor(text: Uint8Array, quotedPrintable: boolean, starts?: Uint32Array) {
    this.#text = text;
    this.#quoted = quotedPrintable;
    this.#bytes = new Uint8Array(text.length);
    this.#starts = starts;
  }

  run(): Uint8Array {
    const text = this.#text;
    for (let at = 0; at < text.length; ) {
      at = this.#copyPlain(at);
      if (at === text.length) break;
      const used = this.#escape(text[at] ?? 0, at);
      if (used === 0) this.#put(text[at] ?? 0, at);
      at += used || 1;
    }
    return this.#bytes.subarray(0, this.#length);
  }

  /** Up to where an escape may begin. */
  #copyPlain(from: number): number {
    const [text, bytes, starts] = [this.#text, this.#bytes, this.#starts];
    let [at, length] = [from, this.#length];
    while (at < text.length && ESCAPES[text[at] as number] === 0) {
      if (starts) starts[length] = at;
      bytes[length++] = text[at++] as number;
    }
    this.#length = length;
    return at;
  }

  /** How many bytes of the text it takes; 0 where it is none. */
  #escape(byte: number, at: number): number {
    if (byte === BACKSLASH) return this.#backslash(at);
    if (byte === PERCENT) return this.#percent(at);
    if (byte === AMPERSAND) return this.#entity(at);
    return byte === EQUALS && this.#quoted ? this.#quotedByte(at) : 0;
  }

  /** What was escaped again has several: they count as one. */
  #backslash(at: number): number {
    const text = this.#text;
    let run = 1;
    while (run < 8 && text[at + run] === BACKSLASH) run++;
    const from = at + run;
    const letter = text[from] ?? BACKSLASH;
    if (letter === SMALL_U || letter === LARGE_U) return this.#unicode(at, from, run);
    const byte = letter === SMALL_X ? digits(text, from + 1, 2, 16) : -1;
    if (byte >= 0) return this.#put(byte, at, run + 3);
    const octal = this.#octal(from);
    if (octal > 0) return this.#put(digits(text, from, octal, 8) & 255, at, run + octal);
    const control = CONTROLS.get(letter);
    if (control !== undefined) return this.#put(control, at, run + 1);
    if (letter === LINE) return run + 1;
    // What follows may be an escape of another kind.
    if (letter !== BACKSLASH && ESCAPES[letter] === 1) return run;
    if (isWordByte(letter)) return run > 1 ? this.#put(BACKSLASH, at, run) : 0;
    return this.#put(letter, at, from < text.length ? run + 1 : run);
  }

  #octal(from: number): number {
    const text = this.#text;
    if (text[from] === 0x30 && digits(text, from + 1, 3, 8) >= 0) return 4;
    return digits(text, from, 3, 8) >= 0 ? 3 : 0;
  }

  #unicode(at: number, from: number, run: number): number {
    const text = this.#text;
    if (text[from + 1] === OPEN) {
      const close = text.subarray(from + 2, from + 10).indexOf(CLOSE);
      const code = close > 0 ? digits(text, from + 2, close, 16) : -1;
      return code < 0 ? 0 : this.#putCode(code, at, run + close + 3);
    }
    const count = text[from] === LARGE_U ? 8 : 4;
    const code = digits(text, from + 1, count, 16);
    if (code < 0) return 0;
    const low = this.#lowHalf(code, from + 1 + count, run);
    if (low < 0) return this.#putCode(code, at, run + 1 + count);
    return this.#putCode(0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00), at, 2 * (run + 1 + count));
  }

  #lowHalf(code: number, at: number, run: number): number {
    if (code < 0xd800 || code > 0xdbff || this.#text[at + run] !== SMALL_U) return -1;
    const low = digits(this.#text, at + run + 1, 4, 16);
    return low >= 0xdc00 && low <= 0xdfff ? low : -1;
  }

  #percent(at: number): number {
    const text = this.#text;
    if (text[at + 1] === SMALL_U) {
      const code = digits(text, at + 2, 4, 16);
      return code < 0 ? 0 : this.#putCode(code, at, 6);
    }
    const byte = digits(text, at + 1, 2, 16);
    return byte < 0 ? 0 : this.#put(byte, at, 3);
  }

  #entity(at: number): number {
    const inside = this.#text.subarray(at + 1, at + 1 + LONGEST_NAME);
    const end = inside.indexOf(SEMICOLON);
    if (end < 1) return 0;
    const isNumber = inside[0] === HASH;
    const isHex = isNumber && ((inside[1] ?? 0) | 0x20) === SMALL_X;
    const first = isHex ? 2 : 1;
    const code = isNumber
      ? digits(inside, first, Math.max(end - first, 1), isHex ? 16 : 10)
      : (NAMED.get(String.fromCharCode(...inside.subarray(0, end)))?.charCodeAt(0) ?? -1);
    return code < 0 ? 0 : this.#putCode(code, at, end + 2);
  }

  #quotedByte(at: number): number {
    const used = quotedLength(this.#text, at);
    const byte = used === 3 ? digits(this.#text, at + 1, 2, 16) : -1;
    return byte >= 0 ? this.#put(byte, at, used) : used;
  }

  #put(byte: number, at: number, used = 0): number {
    if (this.#starts) this.#starts[this.#length] = at;
    this.#bytes[this.#length++] = byte;
    return used;
  }

  #putCode(code: number, at: number, used: number): number {
    if (code < 0x80) return this.#put(code, at, used);
    for (const byte of Buffer.from(String.fromCodePoint(Math.min(code, 0x10ffff)))) this.#put(byte, at);
    return used;
  }
}

function isWordByte(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a) || byte >= 0x80;
}
