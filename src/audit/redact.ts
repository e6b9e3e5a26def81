// Redacts secrets from what is shown and kept: plain, escaped, reversed, in base64, hex and URL form.
import { asBuffer } from '../base/bytes.ts';

export interface Secret {
  readonly name: string;
  readonly value: string;
}

export interface Redactor {
  /** Secrets too short to be searched for without destroying ordinary text. */
  readonly tooShort: readonly string[];
  text(text: string): string;
  bytes(bytes: Uint8Array): Uint8Array;
}

export interface RedactOptions {
  /** Also what merely looks like a key; for records, not for data that is processed further. */
  readonly keyShapes?: boolean;
}

const FORMS = ['plain', 'reversed', 'base64', 'hex'] as const;
type Form = (typeof FORMS)[number];

const SHORTEST = 4;
const PIECE = 256;
// Wrapped lines and spaced dumps put at most this much between two characters of an encoding.
const GAP = '[\\s:]{0,2}';

const KEY_SHAPES = [
  'sk-[A-Za-z0-9_-]{20,200}',
  'gh[pousr]_[A-Za-z0-9]{30,255}',
  'github_pat_[A-Za-z0-9_]{22,255}',
  'glpat-[A-Za-z0-9_-]{20,64}',
  'xox[abeoprs]-[A-Za-z0-9-]{10,250}',
  '(?:AKIA|ASIA)[A-Z0-9]{16}',
  'AIza[A-Za-z0-9_-]{35}',
  'npm_[A-Za-z0-9]{36}',
  'eyJ[A-Za-z0-9_-]{10,2000}\\.eyJ[A-Za-z0-9_-]{10,4000}\\.[A-Za-z0-9_-]{10,1000}',
  '-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]{0,8000}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?',
];

export function createRedactor(secrets: readonly Secret[], options: RedactOptions = {}): Redactor {
  // The longest first: a secret that is a prefix of another must not leave its rest behind.
  const long = secrets
    .filter(({ value }) => value.length >= SHORTEST)
    .toSorted((a, b) => b.value.length - a.value.length);
  const pieces = long.flatMap(({ value }) => piecesOf(value));
  const patterns = pieces
    .map((piece) => FORMS.flatMap((form) => patternsOf(piece, form)))
    .filter((of) => of.length > 0);
  const shapes = options.keyShapes ? [new RegExp(KEY_SHAPES.join('|'), 'g')] : [];
  const inText = [...patterns.map((of) => compile(of.map(({ text }) => text))), ...shapes];
  const inBytes = [...patterns.map((of) => compile(of.map(({ bytes }) => bytes))), ...shapes];
  return {
    tooShort: secrets.filter((secret) => !long.includes(secret)).map(({ name }) => name),
    text: (text) => replaceAll(text, inText),
    bytes: (bytes) => replaceBytes(bytes, inBytes),
  };
}

const MARK = '[redacted]';

/**
 * A long secret is searched for piece by piece: one expression for all of it would be too large for the engine,
 * whose error message would contain it.
 */
function piecesOf(value: string): string[] {
  const characters = [...value];
  const count = Math.ceil(characters.length / PIECE);
  const size = Math.ceil(characters.length / count);
  return Array.from({ length: count }, (_, at) => characters.slice(at * size, (at + 1) * size).join(''));
}

interface Pattern {
  readonly text: string;
  /** The same over bytes read as Latin-1, so that binary output stays as it is. */
  readonly bytes: string;
}

function patternsOf(value: string, form: Form): Pattern[] {
  const encoded = Buffer.from(value);
  const same = (pattern: string): Pattern => ({ text: pattern, bytes: pattern });
  switch (form) {
    case 'plain':
      return [spelled([...value])];
    case 'reversed':
      return [spelled([...value].toReversed())];
    case 'hex':
      return [same([...encoded.toString('hex')].map(eitherCase).join(GAP))];
    case 'base64':
      return base64Cores(encoded).map((core) => same([...core].map(base64Character).join(GAP)));
  }
}

/** Every character plain, or as JSON, a shell or a URL would escape it. */
function spelled(characters: readonly string[]): Pattern {
  const unit = (character: string, direct: string): string => {
    const percent = [...Buffer.from(character)].map((byte) => `%${hexByte(byte)}`).join('');
    const units = character
      .split('')
      .map((half) => `\\\\u${hexByte(half.charCodeAt(0) >> 8)}${hexByte(half.charCodeAt(0) & 255)}`);
    const others = [percent, units.join(''), ...(SHORT_ESCAPES.get(character) ?? [])];
    // The longer spellings first: at the end of a secret the shorter one would leave half of an escape behind.
    return `(?:${[...others, direct].join('|')})`;
  };
  return {
    text: characters.map((character) => unit(character, literal(character))).join(''),
    bytes: characters.map((character) => unit(character, literal(Buffer.from(character).toString('latin1')))).join(''),
  };
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

const SHORT_ESCAPES = new Map([
  [' ', ['\\+']],
  ['"', ['\\\\"', '&quot;', '&#34;']],
  ['\\', ['\\\\\\\\']],
  ['/', ['\\\\/']],
  ['\n', ['\\\\n']],
  ['\t', ['\\\\t']],
  ['\r', ['\\\\r']],
  ['&', ['&amp;']],
  ['<', ['&lt;']],
  ['>', ['&gt;']],
  ["'", ['&#39;', "'\\\\''"]],
]);

/** The part of the encoding that is the same at every offset of the secret in a longer text. */
function base64Cores(value: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const padded = Buffer.concat([Buffer.alloc(before), value]);
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor((padded.length * 8) / 6);
    const core = padded.toString('base64').slice(first, last);
    return core.length >= SHORTEST ? [core] : [];
  });
}

function base64Character(character: string): string {
  if (character === '+' || character === '-') return '[+-]';
  return character === '/' || character === '_' ? '[/_]' : character;
}

function hexByte(byte: number): string {
  return [...byte.toString(16).padStart(2, '0')].map(eitherCase).join('');
}

function eitherCase(digit: string): string {
  return /[a-f]/.test(digit) ? `[${digit}${digit.toUpperCase()}]` : digit;
}

function compile(patterns: readonly string[]): RegExp {
  return new RegExp(patterns.join('|'), 'g');
}

/** All searches use the original text, so that overlapping secrets leave no rest of each other. */
function replaceAll(text: string, patterns: readonly RegExp[]): string {
  const found = patterns.flatMap((pattern) => Array.from(text.matchAll(pattern), spanOf));
  if (found.length === 0) return text;
  let done = '';
  let from = 0;
  for (const { start, end } of found.sort((a, b) => a.start - b.start)) {
    if (start > from || from === 0) done += text.slice(from, start) + MARK;
    from = Math.max(from, end);
  }
  return done + text.slice(from);
}

function spanOf({ index, 0: match }: RegExpExecArray): { start: number; end: number } {
  return { start: index, end: index + match.length };
}

function replaceBytes(bytes: Uint8Array, patterns: readonly RegExp[]): Uint8Array {
  if (patterns.length === 0) return bytes;
  const text = asBuffer(bytes).toString('latin1');
  const replaced = replaceAll(text, patterns);
  return replaced === text ? bytes : Buffer.from(replaced, 'latin1');
}
