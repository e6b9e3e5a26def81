// Frontmatter that lost its fences, or stands behind other text: found where its fields can be told from the text around.
import { KNOWN_FIELDS } from './field.ts';
import { keyOf } from './read/entry.ts';
import { type Block, countLines } from './read/fence.ts';

export interface LostBlock extends Block {
  /** Everything that was looked at: a guard written anywhere in it must not be overlooked. */
  readonly around: string;
}

/**
 * Only the beginning of a file is looked at, so that whoever reads no more than that finds the same: level 1 reads 4,096
 * bytes of a file without frontmatter, and no unit of a string takes more than three of them.
 */
const REACH = 1300;
/** Lines of text that may stand before the fields; behind more of them it is an example in a document. */
const LINES_BEFORE = 5;

const DASHES = /^-{3,}[ \t]*\r?$/;
const CODE = /^```(?:ya?ml)?[ \t]*\r?$/i;
const HEADING = /^#{1,6} /;

/** Undefined where there are no name and description that could be meant. */
export function findLostBlock(text: string): LostBlock | undefined {
  const around = text.slice(0, REACH);
  const lines = around.split(/(?<=\n)/);
  // The last line may go on behind what is looked at.
  if (text.length > REACH) lines.pop();
  const first = lines.findIndex((line) => stripped(line) !== '');
  if (first === -1) return undefined;
  const isUnfenced = isFieldOf(lines[first], ['name', 'description']);
  const found = isUnfenced ? findUnfenced(lines, first, text.length <= REACH) : findLate(lines, first);
  if (found === undefined) return undefined;
  const content = lines
    .slice(found.start, found.end)
    .join('')
    .replace(/^\ufeff/, '');
  if (!['name', 'description'].every((key) => countKeys(content, key) === 1)) return undefined;
  const before = lines.slice(0, found.start).join('');
  const bodyOffset = lines.slice(0, found.next).join('').length;
  return {
    text: content,
    offset:
      bodyOffset -
      lines
        .slice(found.start, found.next)
        .join('')
        .replace(/^\ufeff/, '').length,
    startLine: countLines(before) + 1,
    bodyOffset,
    closed: true,
    repairs: [isUnfenced ? 'fence-missing' : 'fence-late'],
    around,
  };
}

interface Lines {
  readonly start: number;
  readonly end: number;
  /** Where the body begins. */
  readonly next: number;
}

/** From the first line on: up to dashes, a heading, or a blank line behind which no field follows. */
function findUnfenced(lines: readonly string[], start: number, isWhole: boolean): Lines | undefined {
  for (let at = start + 1; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (DASHES.test(stripped(line))) return { start, end: at, next: at + 1 };
    if (HEADING.test(line)) return { start, end: at, next: at };
    if (stripped(line) !== '') continue;
    const following = lines.findIndex((other, index) => index > at && stripped(other) !== '');
    if (DASHES.test(stripped(lines[following] ?? ''))) return { start, end: at, next: following + 1 };
    if (following !== -1 && !isFieldOf(lines[following], KNOWN_FIELDS)) return { start, end: at, next: at };
  }
  return isWhole ? { start, end: lines.length, next: lines.length } : undefined;
}

/** Between dashes or in a code block, behind a few lines of text. */
function findLate(lines: readonly string[], first: number): Lines | undefined {
  const opening = lines.findIndex((line, at) => at > first && isFence(line));
  if (opening === -1 || lines.slice(first, opening).filter((line) => stripped(line) !== '').length > LINES_BEFORE) {
    return undefined;
  }
  const closing = DASHES.test(stripped(lines[opening] ?? '')) ? DASHES : CODE;
  // A code block may hold fences of its own.
  const start = closing === CODE && DASHES.test(stripped(lines[opening + 1] ?? '')) ? opening + 2 : opening + 1;
  const end = lines.findIndex(
    (line, at) => at >= start && (closing.test(stripped(line)) || DASHES.test(stripped(line))),
  );
  if (end === -1 || !isFieldOf(lines[start], KNOWN_FIELDS)) return undefined;
  const isClosedTwice =
    closing === CODE && !CODE.test(stripped(lines[end] ?? '')) && CODE.test(stripped(lines[end + 1] ?? ''));
  return { start, end, next: end + (isClosedTwice ? 2 : 1) };
}

function isFence(line: string): boolean {
  return DASHES.test(stripped(line)) || CODE.test(stripped(line));
}

function isFieldOf(line: string | undefined, fields: Iterable<string>): boolean {
  const key = keyOf(stripped(line ?? ''));
  return key !== undefined && new Set(fields).has(key);
}

function countKeys(text: string, key: string): number {
  return text.split('\n').filter((line) => keyOf(stripped(line)) === key).length;
}

function stripped(line: string): string {
  return line.replace(/^\ufeff/, '').trimEnd();
}
