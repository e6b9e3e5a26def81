// Takes secrets out of what is shown and kept: as they are, escaped, reversed, in base64, hex and URL form.

export interface Secret {
  readonly name: string;
  readonly value: string;
}

export interface Redactor {
  /** Secrets too short to be searched for without destroying ordinary text. */
  readonly tooShort: readonly string[];
  text(text: string): string;
  bytes(bytes: Uint8Array): Uint8Array;
  /** For output that arrives in pieces: a declared secret cut in two is still found. */
  stream(): RedactStream;
}

export interface RedactStream {
  push(chunk: Uint8Array): Uint8Array;
  end(): Uint8Array;
}

export interface RedactOptions {
  /** Also what merely looks like a key; for records, not for data that work goes on with. */
  readonly keyShapes?: boolean;
  /** Which forms are searched for; a test that proves one of them leaves it out. */
  readonly forms?: readonly Form[];
}

const FORMS = ['plain', 'reversed', 'base64', 'hex'] as const;
export type Form = (typeof FORMS)[number];

const SHORTEST = 4;
// Wrapped lines and spaced dumps put at most this much between two characters of an encoding.
const GAP = '[\\s:]{0,2}';
// One byte of a secret takes at most this many in any form, gaps and escapes included.
const LONGEST_BYTE = 8;

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
  // The longest first: what begins like another secret must not leave its rest behind.
  const long = secrets
    .filter(({ value }) => value.length >= SHORTEST)
    .toSorted((a, b) => b.value.length - a.value.length);
  const patterns = long.flatMap(({ value }) => (options.forms ?? FORMS).flatMap((form) => patternsOf(value, form)));
  const shapes = options.keyShapes ? KEY_SHAPES : [];
  const inText = compile([...patterns.map(({ text }) => text), ...shapes]);
  const inBytes = compile([...patterns.map(({ bytes }) => bytes), ...shapes]);
  const inStream = compile(patterns.map(({ bytes }) => bytes));
  const longest = Math.max(0, ...long.map(({ value }) => Buffer.byteLength(value) * LONGEST_BYTE));
  return {
    tooShort: secrets.filter((secret) => !long.includes(secret)).map(({ name }) => name),
    text: (text) => (inText ? text.replace(inText, MARK) : text),
    bytes: (bytes) => replaceBytes(bytes, inBytes),
    stream: () => createStream(inStream, longest),
  };
}

const MARK = '[redacted]';

interface Pattern {
  readonly text: string;
  /** The same over bytes read as Latin-1, so that output that is no text stays as it is. */
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

/** Every character as it is, or as JSON, a shell or a URL would write it. */
function spelled(characters: readonly string[]): Pattern {
  const unit = (character: string, direct: string): string => {
    const percent = [...Buffer.from(character)].map((byte) => `%${hexByte(byte)}`).join('');
    const units = character
      .split('')
      .map((half) => `\\\\u${hexByte(half.charCodeAt(0) >> 8)}${hexByte(half.charCodeAt(0) & 255)}`);
    const others = [percent, units.join(''), ...(SHORT_ESCAPES.get(character) ?? [])];
    return `(?:${[direct, ...others].join('|')})`;
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

/** What stays the same of the encoding wherever in a longer text the secret begins. */
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

function compile(patterns: readonly string[]): RegExp | undefined {
  return patterns.length > 0 ? new RegExp(patterns.join('|'), 'g') : undefined;
}

function replaceBytes(bytes: Uint8Array, pattern: RegExp | undefined): Uint8Array {
  if (!pattern) return bytes;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const replaced = text.replace(pattern, MARK);
  return replaced === text ? bytes : Buffer.from(replaced, 'latin1');
}

/** Holds back the end of what came, as long as a secret could still begin there. */
function createStream(pattern: RegExp | undefined, longest: number): RedactStream {
  let held = '';
  return {
    push(chunk) {
      if (!pattern) return chunk;
      held += Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1');
      const safe = held.length - longest;
      if (safe <= 0) return new Uint8Array(0);
      const { done, rest } = replaceUpTo(held, pattern, safe);
      held = rest;
      return Buffer.from(done, 'latin1');
    },
    end() {
      const done = pattern ? held.replace(pattern, MARK) : held;
      held = '';
      return Buffer.from(done, 'latin1');
    },
  };
}

function replaceUpTo(text: string, pattern: RegExp, safe: number): { done: string; rest: string } {
  let done = '';
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index >= safe) break;
    done += text.slice(from, match.index) + MARK;
    from = match.index + match[0].length;
  }
  const end = Math.max(from, safe);
  return { done: done + text.slice(from, end), rest: text.slice(end) };
}
