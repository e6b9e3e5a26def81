// Text as it is: hidden characters, width on a terminal, nearness of words.

/** Characters a reader cannot see, or that make text look like something else. */
export type HiddenKind = 'control' | 'bidi' | 'tag' | 'zero-width' | 'selector-run';

export interface Hidden {
  readonly kind: HiddenKind;
  readonly index: number;
  readonly codePoint: number;
}

const HIDDEN = new RegExp(
  [
    '(?<control>[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u2028\\u2029])',
    '(?<bidi>[\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069])',
    '(?<tag>[\\u{e0000}-\\u{e007f}])',
    '(?<zero>[\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180e\\u200b-\\u200d\\u2060-\\u2065\\u206a-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb])',
    '(?<selector>[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]{2,})',
  ].join('|'),
  'gu',
);

/** Everything hidden in the text; tab, line feed and carriage return are not. */
export function findHidden(text: string): Hidden[] {
  const found: Hidden[] = [];
  for (const match of text.matchAll(HIDDEN)) {
    found.push({ kind: kindOf(match.groups), index: match.index, codePoint: match[0].codePointAt(0) ?? 0 });
  }
  return found;
}

export function removeHidden(text: string): string {
  return text.replace(HIDDEN, '');
}

/** Hidden characters rewritten in the escapes of whatever format the text is for. */
export function replaceHidden(text: string, replace: (hidden: string) => string): string {
  return text.replace(HIDDEN, replace);
}

/** Safe to print: what is hidden shows as \u{…}, line breaks as \n, so that one value stays on one line. */
export function visible(text: string): string {
  if (isAscii(text)) return text;
  return text
    .toWellFormed()
    .replace(HIDDEN, (hidden) => Array.from(hidden, escapeCharacter).join(''))
    .replace(/[\n\r\t]/g, (space) => ({ '\n': '\\n', '\r': '\\r', '\t': '\\t' })[space] ?? space);
}

/** Safe to print and on one line; line breaks are spaces, not \n: for text that was wrapped where it was written. */
export function visibleOnOneLine(text: string): string {
  return isAscii(text) ? text : visible(text.replace(/\s+/g, ' '));
}

/** Safe to print, with its line breaks and tabs kept. */
export function visibleLines(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .split(/(\n|\t)/)
    .map((part) => (/^[\n\t]$/.test(part) ? part : visible(part)))
    .join('');
}

/** Columns the text takes on a terminal; Chinese characters and emoji take two. */
export function displayWidth(text: string): number {
  if (isAscii(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes().segment(text)) width += graphemeWidth(segment);
  return width;
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/** Cut to a number of columns, with … where something is missing. */
export function truncate(text: string, width: number): string {
  // No unit of a string takes more than two columns.
  if (text.length * 2 <= width) return text;
  if (isAscii(text)) return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1)).trimEnd()}…`;
  let kept = '';
  let used = 0;
  // Stops at the first column too many: a long text costs no more than a short one.
  for (const { segment } of graphemes().segment(text)) {
    used += graphemeWidth(segment);
    if (used > width) return `${kept.trimEnd()}…`;
    if (used <= width - 1) kept += segment;
  }
  return text;
}

/** Cut or filled up to this number of columns. */
export function fit(text: string, width: number): string {
  if (isAscii(text) && text.length <= width) return text.padEnd(width);
  return padEnd(truncate(text, width), width);
}

/** The candidates a person may have meant, nearest first; at most three. */
export function nearest(word: string, candidates: Iterable<string>): string[] {
  const limit = Math.max(1, Math.floor(word.length / 3));
  const scored: [number, string][] = [];
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase(), limit);
    if (distance <= limit) scored.push([distance, candidate]);
    else if (word.length >= 3 && candidate.toLowerCase().startsWith(word.toLowerCase()))
      scored.push([limit + 1, candidate]);
  }
  scored.sort(([a, x], [b, y]) => a - b || (x < y ? -1 : 1));
  return scored.slice(0, 3).map(([, candidate]) => candidate);
}

/** Edits (insert, delete, replace, swap) between two words; gives up above the limit. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(at(above, column) + 1, at(current, column - 1) + 1, at(above, column - 1) + (same ? 0 : 1));
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, at(before, column - 2) + 1);
      current.push(cost);
    }
    if (Math.min(...current) > limit) return limit + 1;
    before = above;
    above = current;
  }
  return at(above, b.length);
}

function at(row: number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}

const ASCII = /^[\x20-\x7e]*$/;

// Most text is plain; nothing in it is hidden, and its length is its width.
export function isAscii(text: string): boolean {
  return ASCII.test(text);
}

let segmenter: Intl.Segmenter | undefined;
function graphemes(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter;
}

function graphemeWidth(grapheme: string): number {
  if (/^\p{Mark}|^\p{Cf}/u.test(grapheme)) return 0;
  const code = grapheme.codePointAt(0) ?? 0;
  return isWide(code) || grapheme.includes('\ufe0f') || /^\p{Emoji_Presentation}/u.test(grapheme) ? 2 : 1;
}

function isWide(code: number): boolean {
  return (
    code >= 0x1100 &&
    (code <= 0x115f ||
      (code >= 0x2e80 && code <= 0x303e) ||
      (code >= 0x3041 && code <= 0xa4cf) ||
      (code >= 0xa960 && code <= 0xa97c) ||
      (code >= 0xac00 && code <= 0xd7a3) ||
      (code >= 0xf900 && code <= 0xfaff) ||
      (code >= 0xfe30 && code <= 0xfe6f) ||
      (code >= 0xff00 && code <= 0xff60) ||
      (code >= 0xffe0 && code <= 0xffe6) ||
      (code >= 0x20000 && code <= 0x3fffd))
  );
}

function kindOf(groups: Record<string, string | undefined> | undefined): HiddenKind {
  if (groups?.control) return 'control';
  if (groups?.bidi) return 'bidi';
  if (groups?.tag) return 'tag';
  return groups?.zero ? 'zero-width' : 'selector-run';
}

function escapeCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
