// What a line can begin: the first rule that fits opens its block.
import { takeDefinitions } from './definition.mjs';
import { advance, indentOf, isBlank } from './line.mjs';
import { readAlignment, splitRow } from './table.mjs';

const CODE_INDENT = 4;
// Deeper than people nest, and what keeps hostile nesting from costing more than its length.
const MAX_DEPTH = 60;
const MAX_LABEL = 200;

const STARTS = [
  startQuote,
  startHeading,
  startFence,
  startComment,
  startUnderlined,
  startTable,
  startRule,
  startItem,
  startFootnote,
];

/** 'container' when more can begin on this line, 'whole line' when nothing is left of it. */
export function startBlock(place) {
  const indent = indentOf(place.line);
  if (indent >= CODE_INDENT) return startIndented(place);
  const mark = { ...place, indent, text: place.line.rest.slice(indent) };
  for (const start of STARTS) {
    const started = start(mark);
    if (started) return started;
  }
  return undefined;
}

function startIndented({ line, tip, open }) {
  if (tip.type === 'paragraph' || tip.type === 'table' || isBlank(line)) return undefined;
  advance(line, CODE_INDENT);
  open({ type: 'code', info: '', lines: [line.rest] });
  return 'whole line';
}

function startQuote({ line, text, indent, depth, open }) {
  if (text[0] !== '>' || depth >= MAX_DEPTH) return undefined;
  advance(line, indent + 1);
  if (line.rest.startsWith(' ')) advance(line, 1);
  open({ type: 'quote', children: [] });
  return 'container';
}

function startHeading({ text, open }) {
  const mark = /^(#{1,6})(?:[ \t]|$)/.exec(text);
  if (!mark) return undefined;
  open({ type: 'heading', level: mark[1].length, text: dropClosingMarks(text.slice(mark[1].length).trim()) });
  return 'whole line';
}

function dropClosingMarks(text) {
  let end = text.length;
  while (text[end - 1] === '#') end--;
  return end === 0 || /[ \t]/.test(text[end - 1]) ? text.slice(0, end).trimEnd() : text;
}

function startFence({ text, indent, open }) {
  const mark = /^(?:(`{3,})([^`]*)|(~{3,})(.*))$/s.exec(text);
  if (!mark) return undefined;
  const run = mark[1] ?? mark[3];
  const fence = { character: run[0], length: run.length, indent };
  open({ type: 'code', fence, info: (mark[2] ?? mark[4]).trim(), lines: [] });
  return 'whole line';
}

// A comment that is a block of its own is left out; one inside a sentence is left to the inline reader.
function startComment({ text, open }) {
  if (!text.startsWith('<!--')) return undefined;
  const end = text.indexOf('-->');
  if (end !== -1 && text.slice(end + 3).trim() !== '') return undefined;
  open({ type: 'comment', lines: [text], isClosed: end !== -1 });
  return 'whole line';
}

function startUnderlined({ container, text, open }) {
  const level = /^=+[ \t]*$/.test(text) ? 1 : /^-+[ \t]*$/.test(text) ? 2 : 0;
  if (container.type !== 'paragraph' || level === 0) return undefined;
  const lines = takeDefinitions(container.lines, new Map());
  if (lines.length === 0) return undefined;
  container.lines = container.lines.slice(0, container.lines.length - lines.length);
  open({ type: 'heading', level, text: lines.join('\n').trim(), linesAbove: lines.length });
  return 'whole line';
}

// The last line of a paragraph and a row of dashes below it make a table.
function startTable({ container, text, open }) {
  if (container.type !== 'paragraph') return undefined;
  const align = readAlignment(text);
  const header = align && splitRow(container.lines.at(-1));
  if (!header || header.length !== align.length) return undefined;
  container.lines.pop();
  open({ type: 'table', align, header, rows: [], linesAbove: 1 });
  return 'whole line';
}

function startRule({ text, open }) {
  if (!/^[*_-]/.test(text) || !/^(?:\*{3,}|-{3,}|_{3,})$/.test(text.replace(/[ \t]+/g, ''))) return undefined;
  open({ type: 'rule' });
  return 'whole line';
}

function startItem({ line, container, text, indent, depth, open }) {
  const mark = /^(?:[*+-]|(\d{1,9})[.)])(?=[ \t]|$)/.exec(text);
  if (!mark || depth >= MAX_DEPTH) return undefined;
  const isEmpty = text.slice(mark[0].length).trim() === '';
  const interrupts = container.type === 'paragraph';
  if (interrupts && (isEmpty || (mark[1] !== undefined && Number(mark[1]) !== 1))) return undefined;
  const character = mark[0].at(-1);
  if (container.type !== 'list' || container.character !== character) {
    open({ type: 'list', character, start: mark[1] === undefined ? undefined : Number(mark[1]), children: [] });
  }
  advance(line, indent + mark[0].length);
  const space = indentOf(line);
  const taken = isEmpty ? 0 : space > CODE_INDENT ? 1 : space;
  advance(line, taken);
  open({ type: 'item', width: indent + mark[0].length + (isEmpty ? 1 : taken), children: [] });
  return 'container';
}

function startFootnote({ line, text, indent, depth, open }) {
  const mark = /^\[\^([^\s[\]]+)\]:/.exec(text.slice(0, MAX_LABEL));
  if (!mark || depth >= MAX_DEPTH) return undefined;
  advance(line, indent + mark[0].length);
  advance(line, indentOf(line));
  open({ type: 'footnote', label: mark[1].toLowerCase(), children: [] });
  return 'container';
}
