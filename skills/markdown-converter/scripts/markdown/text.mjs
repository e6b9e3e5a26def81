// Blocks and tokens to plain text that reads well in a terminal or a mail.
import { parseInline } from './inline.mjs';

const RULE = '-'.repeat(40);
const MAX_WIDTH = 60;
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}]/u;

export function renderText(document) {
  const page = { document, notes: new Map() };
  const body = renderBlocks(page, document.blocks);
  return `${[...body, ...renderNotes(page)].join('\n').trimEnd()}\n`;
}

const BLOCKS = {
  paragraph: (page, { lines }) => inline(page, lines.join('\n')).split('\n'),
  heading: renderHeading,
  code: (_, { lines }) => lines.map((line) => `    ${line}`.trimEnd()),
  rule: () => [RULE],
  quote: (page, { children }) => indent(renderBlocks(page, children), '> ', '> '),
  list: renderList,
  table: renderTable,
  comment: () => [],
};

/** Lines, with an empty one between blocks. */
function renderBlocks(page, blocks, gap = ['']) {
  const parts = blocks.map((block) => BLOCKS[block.type](page, block)).filter((lines) => lines.length > 0);
  return parts.flatMap((lines, index) => (index === 0 ? lines : [...gap, ...lines]));
}

function renderHeading(page, { level, text }) {
  const title = inline(page, text).replaceAll('\n', ' ');
  if (level > 2) return [title];
  return [title, (level === 1 ? '=' : '-').repeat(Math.max(1, Math.min(widthOf(title), 80)))];
}

function renderList(page, { start, isTight, children }) {
  const items = children.map(({ isDone, children: blocks }, index) => {
    const box = isDone === undefined ? '' : isDone ? '[x] ' : '[ ] ';
    const mark = start === undefined ? '- ' : `${start + index}. `;
    return indent(renderBlocks(page, blocks, isTight ? [] : ['']), mark + box, ' '.repeat(mark.length));
  });
  return items.flatMap((lines, index) => (index === 0 || isTight ? lines : ['', ...lines]));
}

function renderTable(page, { align, header, rows }) {
  const cells = [header, ...rows].map((row) =>
    row.slice(0, align.length).map((cell) => inline(page, cell).replaceAll('\n', ' ')),
  );
  const widths = columnWidths(cells, align.length);
  const line = (row) =>
    row
      .map((cell, column) => pad(cell, widths[column], align[column]))
      .join('  ')
      .trimEnd();
  const [head, ...body] = cells.map(line);
  return [head, widths.map((width) => '-'.repeat(width)).join('  '), ...body];
}

function columnWidths(rows, columns) {
  const widths = Array(columns).fill(3);
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.min(MAX_WIDTH, Math.max(widths[column], widthOf(cell)));
    }
  }
  return widths;
}

function renderNotes(page) {
  // A note can refer to further notes, so the map may grow while it is walked.
  const notes = [];
  for (const [label, number] of page.notes) {
    const mark = `[${number}] `;
    notes.push(indent(renderBlocks(page, page.document.footnotes.get(label).children), mark, ' '.repeat(mark.length)));
  }
  return notes.length === 0 ? [] : ['', RULE, '', ...notes.flat()];
}

function indent(lines, first, others) {
  if (lines.length === 0) return [first.trimEnd()];
  return lines.map((line, index) => `${index === 0 ? first : others}${line}`.trimEnd());
}

function inline(page, text) {
  let href;
  let shown = '';
  return parseInline(text, page.document)
    .map((token) => {
      if (token.type === 'open' && token.tag === 'a') {
        href = token.href;
        shown = '';
      }
      const written = renderToken(page, token, href, shown);
      shown += written;
      return written;
    })
    .join('');
}

function renderToken(page, { type, tag, text, isHard, alt, label }, href, shown) {
  if (type === 'text' || type === 'code') return text;
  if (type === 'break') return isHard ? '\n' : ' ';
  if (type === 'image') return alt;
  if (type === 'note') return `[${noteNumber(page, label)}]`;
  // An address that is its own text is not said twice.
  if (type === 'close' && tag === 'a')
    return shown === href || href.endsWith(`:${shown}`) || href === '' ? '' : ` (${href})`;
  return '';
}

function noteNumber(page, label) {
  if (!page.notes.has(label)) page.notes.set(label, page.notes.size + 1);
  return page.notes.get(label);
}

function pad(text, width, align) {
  const missing = Math.max(0, width - widthOf(text));
  if (align === 'right') return ' '.repeat(missing) + text;
  const left = align === 'center' ? Math.floor(missing / 2) : 0;
  return ' '.repeat(left) + text + ' '.repeat(missing - left);
}

/** Columns on a terminal: the characters of East Asia take two. */
function widthOf(text) {
  let width = 0;
  for (const character of text) width += WIDE.test(character) ? 2 : 1;
  return width;
}
