// Finds the headings of a Markdown text and the one a reader means.

export interface Section {
  readonly title: string;
  /** 1–6 for a heading, 0 for a range of lines. */
  readonly level: number;
  /** First and last line, counted from 1. */
  readonly line: number;
  readonly end: number;
}

interface Heading {
  readonly title: string;
  readonly level: number;
}

/** A longer line is not a title; the bound also keeps the patterns below fast. */
const TITLE_LIMIT = 300;

/** Headings outside code blocks, each with the lines that belong to it. */
export function findHeadings(lines: readonly string[]): Section[] {
  const found: { heading: Heading; line: number }[] = [];
  let fence: string | undefined;
  lines.forEach((line, index) => {
    const mark = /^ {0,3}(`{3,}|~{3,})([^`]*)$/.exec(line);
    if (mark && fence === undefined) fence = mark[1];
    else if (mark && fence !== undefined && mark[1]?.startsWith(fence) && mark[2]?.trim() === '') fence = undefined;
    const heading = fence === undefined ? headingAt(line, lines[index + 1]) : undefined;
    if (heading) found.push({ heading, line: index + 1 });
  });
  return withEnds(found, lines.length);
}

/** By title with or without `#`, by link anchor, or by the only title that contains the words. */
export function matchHeading(headings: readonly Section[], hint: string): Section | undefined {
  const [, hashes = '', rest = ''] = /^\s*(#*)\s*(.*)$/s.exec(hint.slice(0, TITLE_LIMIT)) ?? [];
  const wanted = plain(rest);
  if (wanted === '') return undefined;
  const sameTitle = headings.filter(({ title }) => plain(title) === wanted);
  const exact = sameTitle.find(({ level }) => level === hashes.length) ?? sameTitle[0];
  if (exact) return exact;
  const byAnchor = headings.find(({ title }) => anchor(title) === anchor(rest));
  if (byAnchor) return byAnchor;
  const containing = headings.filter(({ title }) => plain(title).includes(wanted));
  return containing.length === 1 ? containing[0] : undefined;
}

function headingAt(line: string, next: string | undefined): Heading | undefined {
  if (line.length > TITLE_LIMIT) return undefined;
  const hashes = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/.exec(line);
  if (hashes?.[1] && hashes[2]) {
    return { title: hashes[2].replace(/[ \t]+#+[ \t]*$/, '').trim(), level: hashes[1].length };
  }
  const underline = next === undefined ? null : /^ {0,3}(=+|-{3,})[ \t]*$/.exec(next);
  const canBeTitle = /^ {0,3}[\p{L}\p{N}]/u.test(line) && !line.includes('|');
  return underline && canBeTitle ? { title: line.trim(), level: underline[1]?.startsWith('=') ? 1 : 2 } : undefined;
}

/** A section ends before the next heading of its own or a higher level. */
function withEnds(found: readonly { heading: Heading; line: number }[], total: number): Section[] {
  const nextAtLevel = Array.from({ length: 7 }, () => total + 1);
  const sections = found.toReversed().map(({ heading, line }) => {
    const end = Math.min(...nextAtLevel.slice(1, heading.level + 1)) - 1;
    nextAtLevel[heading.level] = line;
    return { ...heading, line, end };
  });
  return sections.reverse();
}

function plain(title: string): string {
  return title.normalize('NFKC').toLowerCase().replace(/[*_`]/g, '').replace(/\s+/g, ' ').trim();
}

/** Link anchors as Markdown viewers make them from titles. */
function anchor(title: string): string {
  return plain(title)
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .replace(/\s/g, '-');
}
