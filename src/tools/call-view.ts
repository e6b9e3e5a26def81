// What a call will do, as plain data: what a person is shown before saying yes, at a terminal or anywhere else.

export interface TextSize {
  readonly bytes: number;
  /** Absent for what is no text. */
  readonly lines?: number;
}

/** The first lines of a text, and how many follow. */
export interface TextHead {
  readonly lines: readonly string[];
  readonly more: number;
}

export interface WriteView {
  readonly kind: 'write';
  readonly path: string;
  /** What is there now; absent where nothing is. */
  readonly before?: TextSize;
  readonly after: TextSize;
  /** Absent where one side is no text. */
  readonly diff?: TextHead;
}

export interface DeleteView {
  readonly kind: 'delete';
  readonly path: string;
  readonly size: TextSize;
  readonly head: TextHead;
}

export interface MoveView {
  readonly kind: 'move';
  readonly from: string;
  readonly to: string;
  readonly size: TextSize;
  /** What has the new path and would be lost. */
  readonly replaces?: TextSize;
}

export interface RequestView {
  readonly kind: 'request';
  readonly method: string;
  readonly host: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: { readonly size: TextSize; readonly head: TextHead };
}

export interface ScriptView {
  readonly kind: 'script';
  /** Of the skill, and where that comes from. */
  readonly path: string;
  readonly source: string;
  readonly folder: string;
  readonly sha256: string;
  readonly size: TextSize;
  readonly head: TextHead;
  /** The whole argument vector. */
  readonly words: readonly string[];
}

export interface ServerView {
  readonly kind: 'server';
  readonly server: string;
  readonly tool: string;
  /** The digest of all that the server says of the tool. */
  readonly definition: string;
  /** How the server describes it: its own words. */
  readonly head: TextHead;
  /** What it says of the risk, as JSON: never believed. */
  readonly annotations?: string;
  readonly words: readonly string[];
}

export type CallView =
  | WriteView
  | DeleteView
  | MoveView
  | RequestView
  | ScriptView
  | ServerView
  /** A program with its words, or arguments by their names. */
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'shell'; readonly head: TextHead; readonly size: TextSize };

/** What facts carry; a terminal shows fewer, and the whole on demand. */
const MOST_LINES = 400;
const LONGEST_LINE = 2000;

export function headOf(lines: readonly string[], most = MOST_LINES): TextHead {
  const kept = lines
    .slice(0, most)
    .map((line) => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line));
  return { lines: kept, more: lines.length - kept.length };
}

/** The last line break ends a line and begins none. */
export function linesIn(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

export function sizeOf(bytes: Uint8Array, text: string | undefined): TextSize {
  return { bytes: bytes.length, ...(text !== undefined && { lines: linesIn(text).length }) };
}
