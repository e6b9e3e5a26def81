// A text too long for the context as its two ends: what lies between by lines, bytes and headings, and how it is opened.
import { findHeadings } from '../../loader/heading.ts';

/** A resource, a file or an output is whole up to both; beyond either it is cut. */
export const WHOLE_LINES = 500;
export const WHOLE_BYTES = 32 * 1024;

/** What an outcome says around a text does not count against it. */
const FACT_LINES = 24;
const FACT_BYTES = 4 * 1024;

const HEAD = { lines: 250, bytes: 16 * 1024 };
const TAIL = { lines: 125, bytes: 8 * 1024 };
const TITLES = 40;

export interface LongText {
  readonly text: string;
  /** The name under which `read_file` opens the whole; absent where it was not kept. */
  readonly ref?: string | undefined;
  /** Whether `#` begins a heading. */
  readonly markdown: boolean;
}

/** The same text where it is short enough. */
export function boundText({ text, ref, markdown }: LongText): { readonly text: string; readonly cut: boolean } {
  const bytes = Buffer.from(text);
  const starts = lineStarts(bytes);
  if (starts.length <= WHOLE_LINES + FACT_LINES && bytes.length <= WHOLE_BYTES + FACT_BYTES)
    return { text, cut: false };
  const from = endOfHead(bytes, starts);
  const to = startOfTail(bytes, starts, from);
  const gap = { from, to, first: lineAt(starts, from), last: lineAt(starts, Math.max(from, to - 1)) };
  const lines = [
    bytes.toString('utf8', 0, from).replace(/\n$/, ''),
    ...describeGap(gap, { bytes: bytes.length, lines: starts.length, ref }),
    ...(markdown ? outlineOf(text, gap) : []),
    bytes.toString('utf8', to),
  ];
  return { text: lines.join('\n').toWellFormed(), cut: true };
}

/** What is left out: bytes from 0, the end not included; lines from 1. */
interface Gap {
  readonly from: number;
  readonly to: number;
  readonly first: number;
  readonly last: number;
}

interface Whole {
  readonly bytes: number;
  readonly lines: number;
  readonly ref: string | undefined;
}

function describeGap({ from, to, first, last }: Gap, { bytes, lines, ref }: Whole): string[] {
  const what = `[… left out: lines ${first}-${last} of ${lines}, bytes ${from}-${to} of ${bytes} …]`;
  if (ref === undefined) return [what, '[… the whole was not kept …]'];
  const byLines = JSON.stringify({ path: ref, start_line: first, end_line: Math.min(last, first + WHOLE_LINES - 1) });
  const byBytes = JSON.stringify({ path: ref, offset: from, length: Math.min(to - from, WHOLE_BYTES) });
  return [what, `[… read_file ${byLines} or ${byBytes} opens it in pieces …]`];
}

function outlineOf(text: string, { first, last }: Gap): string[] {
  const hidden = findHeadings(text.split('\n')).filter(({ line }) => line >= first && line <= last);
  if (hidden.length === 0) return [];
  const titles = hidden.slice(0, TITLES).map(({ line, level, title }) => `${line}: ${'#'.repeat(level)} ${title}`);
  const more = hidden.length > TITLES ? [`and ${hidden.length - TITLES} more`] : [];
  return [`[… headings there, by line: ${[...titles, ...more].join('; ')} …]`];
}

/** Where each line begins. */
function lineStarts(bytes: Buffer): number[] {
  const starts = [0];
  for (let at = bytes.indexOf(10); at !== -1 && at + 1 < bytes.length; at = bytes.indexOf(10, at + 1))
    starts.push(at + 1);
  return starts;
}

function lineAt(starts: readonly number[], offset: number): number {
  const next = starts.findIndex((start) => start > offset);
  return next === -1 ? starts.length : next;
}

/** Between lines, unless a long one would take half of what is shown. */
function endOfHead(bytes: Buffer, starts: readonly number[]): number {
  const limit = Math.min(HEAD.bytes, starts[HEAD.lines] ?? bytes.length);
  const line = starts.findLast((start) => start <= limit) ?? 0;
  return limit - line <= limit / 2 ? line : characterStart(bytes, limit);
}

function startOfTail(bytes: Buffer, starts: readonly number[], head: number): number {
  const limit = Math.max(head, bytes.length - TAIL.bytes, starts[starts.length - TAIL.lines] ?? 0);
  const line = starts.find((start) => start >= limit) ?? bytes.length;
  return line - limit <= (bytes.length - limit) / 2 ? line : characterStart(bytes, limit);
}

function characterStart(bytes: Buffer, offset: number): number {
  let at = offset;
  while (at > 0 && at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) at--;
  return at;
}
