// Blocks and tokens to HTML. Everything that comes from the document passes `escapeHtml` or `safeAddress`.
import { safeAddress } from './address.mjs';
import { unescapeText } from './entity.mjs';
import { parseInline, plainText } from './inline.mjs';
import { makeSlugs } from './slug.mjs';

// Wider tables than this are not filled up: a short row must not cost a long one.
const MAX_FILLED = 64;

/** The body, and the headings for a list of contents. */
export function renderHtml(document) {
  const page = { document, out: [], headings: [], slug: makeSlugs(), notes: [], noteNumbers: new Map() };
  renderBlocks(page, document.blocks);
  renderNotes(page);
  return { body: page.out.join(''), headings: page.headings };
}

export function escapeHtml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

const BLOCKS = {
  paragraph: (page, { lines }) => page.out.push(`<p>${inline(page, lines.join('\n'))}</p>\n`),
  heading: renderHeading,
  code: renderCode,
  rule: (page) => page.out.push('<hr>\n'),
  quote: renderQuote,
  list: renderList,
  table: renderTable,
  comment: () => {},
};

function renderBlocks(page, blocks) {
  for (const block of blocks) BLOCKS[block.type](page, block);
}

function renderHeading(page, { level, text }) {
  const tokens = parseInline(text, page.document);
  const title = plainText(tokens);
  const id = page.slug(title);
  page.headings.push({ level, id, title });
  page.out.push(`<h${level} id="${escapeHtml(id)}">${renderTokens(page, tokens)}</h${level}>\n`);
}

function renderCode(page, { info, lines }) {
  const [language] = unescapeText(info).split(/\s/, 1);
  const label = language ? ` class="language-${escapeHtml(language)}"` : '';
  const text = lines.length === 0 ? '' : `${lines.join('\n')}\n`;
  page.out.push(`<pre><code${label}>${escapeHtml(text)}</code></pre>\n`);
}

function renderQuote(page, { children }) {
  page.out.push('<blockquote>\n');
  renderBlocks(page, children);
  page.out.push('</blockquote>\n');
}

function renderList(page, { start, isTight, children }) {
  const tag = start === undefined ? 'ul' : 'ol';
  const from = start === undefined || start === 1 ? '' : ` start="${start}"`;
  const isTasks = children.some(({ isDone }) => isDone !== undefined);
  page.out.push(`<${tag}${from}${isTasks ? ' class="tasks"' : ''}>\n`);
  for (const item of children) renderItem(page, item, isTight);
  page.out.push(`</${tag}>\n`);
}

function renderItem(page, { isDone, children }, isTight) {
  page.out.push('<li>');
  if (isDone !== undefined) page.out.push(`<input type="checkbox" disabled${isDone ? ' checked' : ''}> `);
  for (const [index, block] of children.entries()) {
    const isBare = isTight && block.type === 'paragraph';
    if (!isBare && index === 0) page.out.push('\n');
    if (isBare) page.out.push(inline(page, block.lines.join('\n')), index < children.length - 1 ? '\n' : '');
    else renderBlocks(page, [block]);
  }
  page.out.push('</li>\n');
}

function renderTable(page, { align, header, rows }) {
  const row = (cells, tag) =>
    `<tr>\n${cells.map((cell, column) => renderCell(page, cell, tag, align[column])).join('')}</tr>\n`;
  page.out.push(`<div class="table"><table>\n<thead>\n${row(header, 'th')}</thead>\n`);
  if (rows.length > 0) page.out.push('<tbody>\n');
  for (const cells of rows) page.out.push(row(fill(cells, align.length), 'td'));
  page.out.push(`${rows.length > 0 ? '</tbody>\n' : ''}</table></div>\n`);
}

function fill(cells, width) {
  const missing = width > MAX_FILLED ? 0 : Math.max(0, width - cells.length);
  return [...cells.slice(0, width), ...Array(missing).fill('')];
}

function renderCell(page, cell, tag, align) {
  return `<${tag}${align ? ` style="text-align: ${align}"` : ''}>${inline(page, cell)}</${tag}>\n`;
}

function renderNotes(page) {
  if (page.notes.length === 0) return;
  page.out.push('<section class="footnotes">\n<ol>\n');
  // A note can refer to further notes, so the list may grow while it is written.
  for (let number = 1; number <= page.notes.length; number++) {
    page.out.push(`<li id="fn:${number}">\n`);
    renderBlocks(page, page.document.footnotes.get(page.notes[number - 1].label).children);
    const back = Array.from(
      { length: page.notes[number - 1].count },
      (_, use) => `<a href="#${noteUse(number, use + 1)}">↩</a>`,
    );
    page.out.push(`<p class="back">${back.join(' ')}</p>\n</li>\n`);
  }
  page.out.push('</ol>\n</section>\n');
}

function noteUse(number, use) {
  return `fnref:${number}${use === 1 ? '' : `:${use}`}`;
}

function inline(page, text) {
  return renderTokens(page, parseInline(text, page.document));
}

const TOKENS = {
  text: (_, { text }) => escapeHtml(text),
  code: (_, { text }) => `<code>${escapeHtml(text)}</code>`,
  break: (_, { isHard }) => (isHard ? '<br>\n' : '\n'),
  image: renderImage,
  note: renderNote,
  open: renderOpen,
  close: (_, { tag }) => `</${tag}>`,
};

function renderTokens(page, tokens) {
  return tokens.map((token) => TOKENS[token.type](page, token)).join('');
}

// A link that must not be followed keeps its text and loses its target.
function renderOpen(_, { tag, href, title }) {
  if (tag !== 'a') return `<${tag}>`;
  const address = safeAddress(href);
  return `<a${address === undefined ? '' : ` href="${escapeHtml(address)}"`}${titleAttribute(title)}>`;
}

function renderImage(_, { href, title, alt }) {
  const address = safeAddress(href, { isPicture: true });
  if (address === undefined) return escapeHtml(alt);
  return `<img src="${escapeHtml(address)}" alt="${escapeHtml(alt)}"${titleAttribute(title)}>`;
}

function titleAttribute(title) {
  return title === undefined ? '' : ` title="${escapeHtml(title)}"`;
}

function renderNote(page, { label }) {
  if (!page.noteNumbers.has(label)) {
    page.notes.push({ label, count: 0 });
    page.noteNumbers.set(label, page.notes.length);
  }
  const number = page.noteNumbers.get(label);
  const use = ++page.notes[number - 1].count;
  return `<sup id="${noteUse(number, use)}"><a href="#fn:${number}">${number}</a></sup>`;
}
