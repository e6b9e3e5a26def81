// Splits long texts into parts with names: the beginning, an outline of the rest, one section.
import { findHeadings, matchHeading, type Section } from './heading.ts';

export type FoundSection = { readonly section: Section } | { readonly outline: readonly Section[] };

export interface FoldedBody {
  readonly text: string;
  readonly truncated: boolean;
  /** What was left out, in parts that readSection accepts; every line of it can be reached. */
  readonly outline: readonly Section[];
}

export interface TextLines {
  readonly lines: readonly string[];
  /** Whether `#` begins a heading here; in a script it begins a comment. */
  readonly markdown: boolean;
}

const OUTLINE_LIMIT = 100;

export function toLines(text: string, markdown: boolean): TextLines {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return { lines, markdown };
}

/** One section by its title, its link anchor or `lines 120-180`; an unknown one returns the outline. */
export function readSection(text: TextLines, hint: string): FoundSection {
  const headings = headingsOf(text);
  const section = lineRange(hint, text.lines.length) ?? matchHeading(headings, hint);
  return section ? { section } : { outline: condense(headings, 1, text.lines.length) };
}

/** The first lines of the text, or of one section of it. */
export function fold(text: TextLines, maxLines: number, within?: Section): FoldedBody {
  const first = within?.line ?? 1;
  const last = within?.end ?? text.lines.length;
  const lastShown = Math.min(last, first + maxLines - 1);
  const shown = text.lines.slice(first - 1, lastShown).join('\n');
  if (lastShown === last) return { text: shown, truncated: false, outline: [] };
  const rest = headingsOf(text).filter(({ line }) => line > lastShown && line <= last);
  return { text: shown, truncated: true, outline: condense(rest, lastShown + 1, last) };
}

/** Too many headings: the lower levels are dropped, as their text belongs to the higher ones. */
function condense(headings: readonly Section[], from: number, to: number): Section[] {
  let kept = [...headings];
  for (let level = 5; level >= 1 && kept.length > OUTLINE_LIMIT; level--) {
    kept = kept.filter((section) => section.level <= level);
  }
  const tail = kept.slice(OUTLINE_LIMIT)[0];
  kept = kept.slice(0, OUTLINE_LIMIT);
  const beforeFirst = (kept[0]?.line ?? to + 1) - 1;
  return [
    ...(beforeFirst >= from ? [rangeOf(from, beforeFirst)] : []),
    ...kept,
    ...(tail ? [rangeOf(tail.line, to)] : []),
  ];
}

function headingsOf(text: TextLines): Section[] {
  return text.markdown ? findHeadings(text.lines) : [];
}

function lineRange(hint: string, total: number): Section | undefined {
  const match = /^\s*(?:lines?|第)\s*(\d{1,9})\s*[-–—至到]\s*(\d{1,9})\s*行?\s*$/iu.exec(hint);
  const [from, to] = [Number(match?.[1]), Math.min(Number(match?.[2]), total)];
  return from >= 1 && from <= to ? rangeOf(from, to) : undefined;
}

function rangeOf(line: number, end: number): Section {
  return { title: `lines ${line}-${end}`, level: 0, line, end };
}
