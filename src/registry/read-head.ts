// Level 1 of disclosure: the frontmatter of a SKILL.md and not one block more.
import { readSync } from 'node:fs';
import { findFrontmatter } from '../skill/read/frontmatter.ts';

/** Called for every block that is read, so that a test can count reads. */
export type OnRead = (file: string, bytes: number) => void;

// Nearly all frontmatter fits into it; the rest is read in larger blocks.
const FIRST_BLOCK = 1024;
const BLOCK = 4096;
const LIMIT = 64 * 1024;
const FENCE = Buffer.from('\n---');
// A closing fence with trailing blanks may span two blocks.
const OVERLAP = 64;
const LINE_FEED = 0x0a;

// After the content, for the name that belongs to it.
const MARGIN = 4096;

/** Holds the file that was read last: one buffer for all files, no allocation per file. */
export const head = Buffer.allocUnsafe(LIMIT + MARGIN);

/**
 * Reads block by block until the closing fence is seen, and returns how many bytes of `head` are valid.
 * A file without frontmatter costs one block, one that never closes it the limit.
 */
export function readHead(descriptor: number, file: string, onRead?: OnRead): number {
  let length = 0;
  while (length < LIMIT) {
    const wanted = length === 0 ? FIRST_BLOCK : BLOCK - (length % BLOCK);
    const bytes = readSync(descriptor, head, length, wanted, null);
    onRead?.(file, bytes);
    const unseen = Math.max(0, length - OVERLAP);
    length += bytes;
    const isWhole = bytes < wanted;
    if (opensCleanly(length)) {
      const end = findEnd(unseen, length, isWhole);
      if (end >= 0) return end;
    } else if ((isWhole || length >= BLOCK) && !opensLoosely(length)) return wholeCharacters(length);
    if (isWhole) return length;
  }
  return wholeCharacters(length);
}

function opensCleanly(length: number): boolean {
  return length > 3 && head[0] === 0x2d && head[1] === 0x2d && head[2] === 0x2d && endOfBlankLine(3, length) >= 0;
}

/** After a comment, a blank line or a code fence: rare, so the parser decides whether it needs more. */
function opensLoosely(length: number): boolean {
  return findFrontmatter(head.toString('utf8', 0, length))?.closed === false;
}

/** Where the line after the closing fence begins, or -1. */
function findEnd(from: number, length: number, isWhole: boolean): number {
  for (let at = head.indexOf(FENCE, from); at >= 0 && at < length; at = head.indexOf(FENCE, at + 1)) {
    const end = endOfBlankLine(at + FENCE.length, length);
    if (end >= 0 && (end < length || head[end - 1] === LINE_FEED || isWhole)) return end;
  }
  return -1;
}

/** Where the next line begins, if only blanks are left on this one; otherwise -1. */
function endOfBlankLine(from: number, length: number): number {
  for (let at = from; at < length; at++) {
    const byte = head[at];
    if (byte === LINE_FEED) return at + 1;
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return -1;
  }
  return from <= length ? length : -1;
}

/** Without a partial character at the end. */
function wholeCharacters(length: number): number {
  let start = length - 1;
  while (start > length - 4 && isContinuation(head[start])) start--;
  const lead = head[start] ?? 0;
  const size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return start + size > length ? start : length;
}

function isContinuation(byte = 0): boolean {
  return (byte & 0xc0) === 0x80;
}
