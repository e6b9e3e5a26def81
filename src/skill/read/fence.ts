// Where the frontmatter stands in a file: between two lines of dashes, or where people put it instead.

export type FenceRepair =
  | 'bom'
  | 'line-endings'
  | 'fence-loose'
  | 'fence-comment'
  | 'fence-code-block'
  | 'fence-missing'
  | 'fence-late'
  | 'frontmatter-unclosed';

export interface Block {
  readonly text: string;
  /** Where the text begins in the file. */
  readonly offset: number;
  /** The line of the file its first line is, counted from 1. */
  readonly startLine: number;
  /** Where the body begins in the file. */
  readonly bodyOffset: number;
  readonly closed: boolean;
  /** What differs from two clean fences. */
  readonly repairs: readonly FenceRepair[];
}

export const FRONTMATTER_LIMIT = 64 * 1024;

const CLEAN: readonly FenceRepair[] = [];
const LINE_ENDINGS: readonly FenceRepair[] = ['line-endings'];

/** The block between clean fences: the way nearly every file is written. */
export function findCleanBlock(text: string): Block | undefined {
  const start = text.startsWith('---\n') ? 4 : text.startsWith('---\r\n') ? 5 : 0;
  if (start === 0) return undefined;
  // From the line break before, so that an empty block is found too.
  for (let at = start - 1; ; at++) {
    at = text.indexOf('\n---', at);
    if (at === -1 || at > start + FRONTMATTER_LIMIT) return undefined;
    const bodyOffset = endOfLine(text, at + 4);
    if (bodyOffset === -1) continue;
    const content = text.slice(start, at + 1);
    const repairs = content.includes('\r') || start === 5 ? LINE_ENDINGS : CLEAN;
    return { text: content, offset: start, startLine: 2, bodyOffset, closed: true, repairs };
  }
}

/**
 * The block behind a byte order mark, blank lines, a comment or a code fence, or without an end. In the beginning of a
 * file an odd line may be text of a field whose true end is still to be read: there only a clean fence ends the block.
 */
export function findLooseBlock(text: string, isWholeFile: boolean): Block | undefined {
  const opening = findOpening(text);
  if (opening === undefined) return undefined;
  const { offset, repairs, closing } = opening;
  const end = isWholeFile ? findEnd(text, offset, closing) : findClosing(text, offset, closing);
  const content = text.slice(offset, end?.start ?? offset + FRONTMATTER_LIMIT);
  if (content.includes('\r')) repairs.add('line-endings');
  if (end === undefined) repairs.add('frontmatter-unclosed');
  else if (end.loose) repairs.add('fence-loose');
  const bodyOffset = end === undefined ? text.length : skipCodeFence(text, end.next, repairs);
  const startLine = countLines(text.slice(0, offset)) + 1;
  return { text: content, offset, startLine, bodyOffset, closed: end !== undefined, repairs: [...repairs] };
}

interface Opening {
  readonly offset: number;
  readonly repairs: Set<FenceRepair>;
  readonly closing: RegExp;
}

const DASHES = /^---[ \t]*$/;
const ODD_DASHES = /^(?:-{3,}|\.\.\.)[ \t]*$/;
const INDENTED_DASHES = /^[ \t]+---[ \t]*$/;
const OPENING = /^[ \t]*-{3,}[ \t]*$/;
const BACKTICKS = /^```[ \t]*$/;

function findOpening(text: string): Opening | undefined {
  const repairs = new Set<FenceRepair>();
  let offset = 0;
  if (text.charCodeAt(0) === 0xfeff) {
    repairs.add('bom');
    offset = 1;
  }
  for (let previous = -1; previous !== offset; ) {
    previous = offset;
    offset = skipBlankLines(text, offset, repairs);
    offset = skipComment(text, offset, repairs);
  }
  let line = lineAt(text, offset);
  if (/^```[a-z]*[ \t]*$/i.test(line.content)) {
    repairs.add('fence-code-block');
    const inside = lineAt(text, line.next);
    if (/^```ya?ml/i.test(line.content) && !OPENING.test(inside.content)) {
      return { offset: line.next, repairs, closing: BACKTICKS };
    }
    line = inside;
  }
  if (!OPENING.test(line.content)) return undefined;
  if (line.content !== '---') repairs.add('fence-loose');
  return { offset: line.next, repairs, closing: DASHES };
}

// Each odder end counts only where there is no better one.
function findEnd(text: string, from: number, closing: RegExp) {
  return (
    findClosing(text, from, closing) ?? findClosing(text, from, ODD_DASHES) ?? findClosing(text, from, INDENTED_DASHES)
  );
}

function findClosing(text: string, from: number, closing: RegExp) {
  for (let start = from; start < text.length && start - from <= FRONTMATTER_LIMIT; ) {
    const { content, next } = lineAt(text, start);
    if (closing.test(content)) return { start, next, loose: content !== '---' };
    start = next;
  }
  return undefined;
}

function skipBlankLines(text: string, offset: number, repairs: Set<FenceRepair>): number {
  let at = offset;
  for (let line = lineAt(text, at); line.next > at && line.content.trim() === ''; line = lineAt(text, at)) {
    at = line.next;
    repairs.add('fence-loose');
  }
  return at;
}

function skipComment(text: string, offset: number, repairs: Set<FenceRepair>): number {
  if (!text.startsWith('<!--', offset)) return offset;
  const end = text.indexOf('-->', offset + 4);
  if (end === -1) return offset;
  repairs.add('fence-comment');
  const rest = lineAt(text, end + 3);
  return rest.content.trim() === '' ? rest.next : end + 3;
}

// A file that is wrapped as a whole closes its code fence at the end, not here.
function skipCodeFence(text: string, offset: number, repairs: ReadonlySet<FenceRepair>): number {
  if (!repairs.has('fence-code-block')) return offset;
  const line = lineAt(text, offset);
  return BACKTICKS.test(line.content) ? line.next : offset;
}

function lineAt(text: string, offset: number): { content: string; next: number } {
  const end = text.indexOf('\n', offset);
  if (end === -1) return { content: text.slice(offset), next: text.length };
  const content = text.slice(offset, text.charCodeAt(end - 1) === 0x0d && end > offset ? end - 1 : end);
  return { content, next: end + 1 };
}

/** The end was not found within the limit: what was read is only a part. */
export function isBeyondLimit(block: Block): boolean {
  return !block.closed && block.text.length >= FRONTMATTER_LIMIT;
}

/** Where the next line begins, if only blanks follow; -1 otherwise. */
function endOfLine(text: string, from: number): number {
  for (let at = from; ; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x0a) return at + 1;
    if (Number.isNaN(code)) return at;
    if (code !== 0x20 && code !== 0x09 && code !== 0x0d) return -1;
  }
}

export function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
