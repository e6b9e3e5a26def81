// Redacts secrets from what is shown and kept: in the forms of `base/redact/`, and over two streams that belong together.
import { asBuffer } from '../base/bytes.ts';
import { createFinder, type FoundSecret, LONGEST_MATCH } from '../base/redact/finder.ts';
import { createHalvesFinder, type Pair } from '../base/redact/halves.ts';
import { type Secret, SHORTEST_ENCODED } from '../base/redact/needle.ts';
import { openEndOf } from '../base/redact/open-end.ts';

export type { Secret } from '../base/redact/needle.ts';

export interface Redactor {
  /** Secrets too short to be looked for in every form without destroying ordinary text. */
  readonly tooShort: readonly string[];
  text(text: string): string;
  bytes(bytes: Uint8Array): Uint8Array;
  /** Two streams of one process: also what is whole only in both together. */
  streams(streams: Pair<Uint8Array>): Pair<Uint8Array>;
  /** Texts that are told one after the other, each when it comes: what goes on with a value is left out. */
  inSequence(): (text: string) => string;
  /** The names of the secrets that the bytes hold, as far as they are long enough to be told from other text. */
  namesIn(bytes: Uint8Array): string[];
}

export interface RedactOptions {
  /** Also what merely looks like a key; for records, not for data that is processed further. */
  readonly keyShapes?: boolean;
}

const KEY_SHAPES = new RegExp(
  [
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
  ].join('|'),
  'g',
);

export function createRedactor(secrets: readonly Secret[], { keyShapes = false }: RedactOptions = {}): Redactor {
  const { find, needles } = createFinder(secrets);
  const findHalves = createHalvesFinder(secrets);
  const tooShort = secrets.filter(({ value }) => [...value].length < SHORTEST_ENCODED).map(({ name }) => name);
  const bytes = (given: Uint8Array) => withoutShapes(cutOut(given, find(given)), keyShapes);
  const text = (given: string) => {
    const found = needles.length === 0 ? [] : find(Buffer.from(given));
    const left = found.length === 0 ? given : textOf(cutOut(Buffer.from(given), found));
    return keyShapes ? left.replace(KEY_SHAPES, MARK) : left;
  };
  return {
    tooShort,
    text,
    bytes,
    streams: (streams) => {
      const halves = findHalves(streams);
      const seams = [findSeam(streams, find), findSeam([streams[1], streams[0]], find).toReversed()];
      const redact = (at: 0 | 1) =>
        cutOut(streams[at], [...find(streams[at]), ...halves[at], ...seams.flatMap((seam) => seam[at] ?? [])]);
      return [redact(0), redact(1)];
    },
    inSequence: () => {
      let before = '';
      return (given) => {
        const told = Buffer.from(`${before}\n`);
        const whole = Buffer.concat([told, Buffer.from(given)]);
        const open = openEndOf(whole, { needles });
        const found = find(whole).map(({ start, end }) => ({ start, end }));
        const spans = open === undefined ? found : [...found, { start: open, end: whole.length }];
        before = textOf(whole.subarray(-LONGEST_TAIL));
        const own = spans.filter(({ end }) => end > told.length).map((span) => moved(span, -told.length));
        return own.length === 0 ? given : textOf(cutOut(whole.subarray(told.length), own));
      };
    },
    namesIn: (given) => [...new Set(find(given).map(({ name }) => name))].filter((name) => !tooShort.includes(name)),
  };
}

export const MARK = '[redacted]';
const LONGEST_TAIL = 2048;

type Span = Pick<FoundSecret, 'start' | 'end'>;

function moved({ start, end }: Span, by: number): Span {
  return { start: Math.max(start + by, 0), end: end + by };
}

/** What the end of the first and the begin of the second are together. */
function findSeam([first, second]: Pair<Uint8Array>, find: (bytes: Uint8Array) => FoundSecret[]): Span[][] {
  if (first.length === 0 || second.length === 0) return [[], []];
  const tail = first.subarray(-LONGEST_MATCH);
  const head = second.subarray(0, LONGEST_MATCH);
  const over = find(Buffer.concat([tail, head])).filter(({ start, end }) => start < tail.length && end > tail.length);
  const before = first.length - tail.length;
  return [
    over.map(({ start }) => ({ start: before + start, end: first.length })),
    over.map(({ end }) => ({ start: 0, end: end - tail.length })),
  ];
}

/** All searches used the original text, so that overlapping secrets leave no rest of each other. */
function cutOut(bytes: Uint8Array, found: readonly Span[]): Uint8Array {
  if (found.length === 0) return bytes;
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const { start, end } of joined(found)) {
    parts.push(bytes.subarray(from, start), Buffer.from(MARK));
    from = end;
  }
  return Buffer.concat([...parts, bytes.subarray(from)]);
}

/** Those that touch or overlap are one. */
function joined(found: readonly Span[]): Span[] {
  const spans: { start: number; end: number }[] = [];
  for (const { start, end } of found.toSorted((a, b) => a.start - b.start)) {
    const last = spans.at(-1);
    if (last && start <= last.end + SEAM) last.end = Math.max(last.end, end);
    else spans.push({ start, end });
  }
  return spans;
}

/** Between two pieces of a long value an encoding has characters that belong to both. */
const SEAM = 2;

function withoutShapes(bytes: Uint8Array, keyShapes: boolean): Uint8Array {
  if (!keyShapes) return bytes;
  const text = asBuffer(bytes).toString('latin1');
  const left = text.replace(KEY_SHAPES, MARK);
  return left === text ? bytes : Buffer.from(left, 'latin1');
}

function textOf(bytes: Uint8Array): string {
  return asBuffer(bytes).toString('utf8');
}
