// The work of `read_file`: as much as may be shown at once, cut between lines or characters.
import { decodeText, mustBeText } from '../file/decode-text.ts';

interface ReadFileArguments {
  readonly path: string;
  /** Lines count from 1, both ends included. */
  readonly start_line?: number | undefined;
  readonly end_line?: number | undefined;
  /** Bytes; they win over lines. */
  readonly offset?: number | undefined;
  readonly length?: number | undefined;
}

interface ReadFileResult {
  readonly path: string;
  readonly content: string;
  /** Of the whole file, in bytes. */
  readonly size: number;
  readonly lines?: { readonly from: number; readonly to: number; readonly total: number };
  readonly bytes?: { readonly from: number; readonly to: number };
}

/** What is read: a file of the project, or a text of our own by a name. */
interface PartSource {
  readWhole(path: string, maxBytes: number): ReadBytes;
  readRange(path: string, range: { readonly offset: number; readonly length: number }): ReadBytes;
}

interface ReadBytes {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly stats: { readonly size: number };
}

/** The most that is shown at once. */
const SHOWN_LIMIT = 1024 * 1024;
/** The largest file whose lines are counted. */
const COUNTED_LIMIT = 16 * 1024 * 1024;

export function readPart(files: PartSource, asked: ReadFileArguments): ReadFileResult {
  if (asked.offset !== undefined || asked.length !== undefined) return readBytes(files, asked);
  if (asked.start_line !== undefined || asked.end_line !== undefined) return readLines(files, asked);
  const { path, bytes, stats } = files.readWhole(asked.path, SHOWN_LIMIT);
  return { path, content: mustBeText(path, decodeText(bytes)), size: stats.size };
}

function readLines(files: PartSource, asked: ReadFileArguments): ReadFileResult {
  const { path, bytes, stats } = files.readWhole(asked.path, COUNTED_LIMIT);
  const lines = mustBeText(path, decodeText(bytes)).split(/(?<=\n)/);
  const from = Math.max(1, asked.start_line ?? 1);
  const wanted = lines.slice(from - 1, asked.end_line);
  const shown = withinLimit(wanted);
  return {
    path,
    content: shown.join(''),
    size: stats.size,
    lines: { from, to: from - 1 + shown.length, total: lines.length },
  };
}

function withinLimit(lines: readonly string[]): readonly string[] {
  let size = 0;
  for (const [index, line] of lines.entries()) {
    size += Buffer.byteLength(line);
    if (size > SHOWN_LIMIT) return lines.slice(0, index);
  }
  return lines;
}

// Characters that the range cuts in two are left out, and the range says so.
function readBytes(files: PartSource, asked: ReadFileArguments): ReadFileResult {
  const offset = asked.offset ?? 0;
  const length = Math.min(asked.length ?? SHOWN_LIMIT, SHOWN_LIMIT);
  const { path, bytes, stats } = files.readRange(asked.path, { offset, length });
  const start = offset === 0 ? 0 : bytes.findIndex((byte) => !isContinuation(byte));
  const part = bytes.subarray(Math.max(start, 0), wholeEnd(bytes, offset + bytes.length >= stats.size));
  const from = offset + Math.max(start, 0);
  return {
    path,
    content: mustBeText(path, decodeText(part)),
    size: stats.size,
    bytes: { from, to: from + part.length },
  };
}

function wholeEnd(bytes: Uint8Array, isEndOfFile: boolean): number {
  if (isEndOfFile) return bytes.length;
  let lead = bytes.length - 1;
  while (lead >= 0 && lead > bytes.length - 4 && isContinuation(bytes[lead] ?? 0)) lead--;
  const first = bytes[lead] ?? 0;
  const width = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return lead + width > bytes.length ? lead : bytes.length;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
