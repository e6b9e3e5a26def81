// What a reader of the rendered page does not see: comments, titles of links, invisible text, text behind blanks.
import type { VetSeverity } from '../../config/severity.ts';
import { type Lines, linesOf } from './line.ts';
import { GRAVE_ORDER, HIDDEN_ORDER } from './rule/injection.ts';
import { findGrave, type Sighting } from './search.ts';

const BLANK_LINES = 60;
// A single {300,} would need the stack of a word for every blank of a long run.
const WIDE_GAP = /(?<=\S)[ \t]{300}[ \t]*(?=[^\s|])/g;
/** Read as a source, where comments are seen. */
const SOURCE_FILE =
  /\.(?:x?html?|xml|svg|hbs|handlebars|mustache|j2|jinja2?|tmpl|tpl|ejs|njk|liquid|vue|svelte|astro)$|(?:^|\/)templates?\//i;

const UNSEEN = [
  /<!--([\s\S]*?)(?:-->|$)/g,
  /^\[(?:\/\/|comment)\]:\s{0,20}#?\s{0,20}[("']([^\n]*)/gim,
  /\]\([^()\s]{1,500}\s{1,20}["']([^"'\n()]{20,2000})["']\)/g,
];
const INVISIBLE_TAG = /<(?:span|div|p|font)\s([^<>\n]{1,400})>([^<]{1,2000})/gi;
const INVISIBLE_STYLE =
  /display:\s*none|visibility:\s*hidden|font-size:\s*0|color:\s*(?:white|#fff\w*|transparent)|\bhidden\b/i;

interface Unseen {
  readonly index: number;
  readonly inside: string;
}

export function unseenOrders(file: string, text: string): Sighting[] {
  const orders = unseenTexts(text).filter(({ inside }) => HIDDEN_ORDER.test(inside));
  if (orders.length === 0) return [];
  const grave = findGrave(orders.map(({ inside }) => inside));
  const isSeen = SOURCE_FILE.test(file) ? () => true : fencesOf(linesOf(text));
  const says = { en: 'gives an order where a reader of the page sees nothing', zh: '在读者看不到的位置给出指令' };
  return orders.map(({ index, inside }, place): Sighting => {
    const isGrave = grave.has(place) || GRAVE_ORDER.test(inside);
    const severity: VetSeverity = isGrave && !isSeen(index) ? 'HIGH' : 'LOW';
    return { id: 'unseen-order', severity, view: 'text', index, end: index + inside.length, says };
  });
}

function unseenTexts(text: string): Unseen[] {
  const written = UNSEEN.flatMap((pattern) =>
    Array.from(text.matchAll(pattern), ({ index, 1: inside = '' }) => ({ index, inside })),
  );
  const styled = Array.from(text.matchAll(INVISIBLE_TAG))
    .filter(([, style = '']) => INVISIBLE_STYLE.test(style))
    .map(({ index, 2: inside = '' }) => ({ index, inside }));
  return [...written, ...styled];
}

interface Fence {
  readonly mark: string;
  readonly indent: number;
}

/** Whether a place is inside a code fence, where a page shows everything. What is less indented has left its fence. */
function fencesOf(lines: Lines): (index: number) => boolean {
  const inside = new Set<number>();
  let fence: Fence | undefined;
  for (let line = 0; lines.start(line) < lines.text.length; line++) {
    const [, blanks = '', mark = '', rest = ''] = /^([ \t]*)(`{3,}|~{3,})?([^\n]*)/.exec(lineText(lines, line)) ?? [];
    if (fence !== undefined && blanks.length < fence.indent && rest !== '') fence = undefined;
    if (fence === undefined) {
      if (mark !== '' && !(mark.startsWith('`') && rest.includes('`'))) fence = { mark, indent: blanks.length };
    } else if (mark.startsWith(fence.mark) && rest.trim() === '') fence = undefined;
    else inside.add(line);
  }
  return (index) => inside.has(lines.at(index));
}

function lineText({ text, start, end }: Lines, line: number): string {
  return text.slice(start(line), Math.min(end(line), start(line) + 2000));
}

export function padding(text: string): Sighting[] {
  const says = { en: 'puts text where nobody scrolls', zh: '用大量空白隐藏文字' };
  const across = Array.from(text.matchAll(WIDE_GAP), ({ index }) => index);
  return [...longGaps(text), ...across].map((index) => ({
    id: 'padding',
    severity: 'HIGH',
    view: 'text',
    index,
    end: index,
    says,
  }));
}

/** Text after many empty lines; a loop, because a pattern would backtrack on every line of them. */
function longGaps(text: string): number[] {
  const found: number[] = [];
  let blank = 0;
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf('\n', at);
    const end = next === -1 ? text.length : next;
    const isBlank = end === at || text.slice(at, end).trim() === '';
    if (!isBlank && blank >= BLANK_LINES) found.push(at);
    blank = isBlank ? blank + 1 : 0;
    at = end + 1;
  }
  return found;
}
