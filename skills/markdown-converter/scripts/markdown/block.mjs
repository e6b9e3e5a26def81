// Lines to blocks, in one pass: each line first continues the open blocks, then opens new ones, then adds its text.
import { continues } from './continue.mjs';
import { takeDefinitions } from './definition.mjs';
import { isBlank, openLine, verbatim } from './line.mjs';
import { startBlock } from './start.mjs';
import { splitRow } from './table.mjs';

const TASK = /^\[([ xX])\][ \t]+(?=\S)/;

/** `references` and `footnotes` are maps by label; footnotes stand apart from the blocks. */
export function parseBlocks(source) {
  const root = { type: 'document', children: [], first: 0, last: 0 };
  const parser = { open: [root], matched: 1, line: 0, references: new Map(), footnotes: new Map() };
  for (const text of source.split(/\r\n|\n|\r/)) {
    parser.line++;
    addLine(parser, openLine(text));
  }
  while (parser.open.length > 0) closeTip(parser);
  return { blocks: root.children, references: parser.references, footnotes: parser.footnotes };
}

function addLine(parser, line) {
  const matched = continueOpen(parser, line);
  if (matched === undefined) return;
  parser.matched = matched;
  if (startBlocks(parser, line) === 'whole line') return;
  const tip = parser.open.at(-1);
  const isLazy = parser.open.length > parser.matched && tip.type === 'paragraph' && !isBlank(line);
  if (!isLazy) closeUnmatched(parser);
  addText(parser, line);
}

/** How many of the open blocks go on; undefined when the line only ended one. */
function continueOpen(parser, line) {
  for (const [index, block] of parser.open.entries()) {
    const goesOn = continues(block, line);
    if (goesOn === 'ended') {
      block.last = parser.line;
      parser.matched = index + 1;
      closeUnmatched(parser);
      closeTip(parser);
      return undefined;
    }
    if (!goesOn) return index;
  }
  return parser.open.length;
}

function startBlocks(parser, line) {
  const open = (block) => openBlock(parser, block);
  while (!isLeaf(parser.open[parser.matched - 1])) {
    const tip = parser.open.at(-1);
    const started = startBlock({ line, tip, container: parser.open[parser.matched - 1], depth: parser.matched, open });
    if (started !== 'container') return started;
  }
  return undefined;
}

function isLeaf(block) {
  return block.type === 'code' || block.type === 'comment';
}

function openBlock(parser, block) {
  closeUnmatched(parser);
  while (!canHold(parser.open.at(-1), block)) closeTip(parser);
  Object.assign(block, { first: parser.line - (block.linesAbove ?? 0), last: parser.line });
  const parent = parser.open.at(-1);
  if (block.type !== 'footnote') parent.children.push(block);
  else if (!parser.footnotes.has(block.label)) parser.footnotes.set(block.label, block);
  parser.open.push(block);
  parser.matched = parser.open.length;
}

function canHold(parent, block) {
  if (parent.type === 'list') return block.type === 'item';
  return block.type !== 'item' && parent.children !== undefined;
}

function addText(parser, line) {
  const tip = parser.open.at(-1);
  if (isLeaf(tip)) tip.lines.push(verbatim(line));
  else if (isBlank(line)) return;
  else if (tip.type === 'table') tip.rows.push(splitRow(line.rest));
  else if (tip.type === 'paragraph') tip.lines.push(line.rest.trimStart());
  else openBlock(parser, { type: 'paragraph', lines: [line.rest.trimStart()] });
  parser.open.at(-1).last = parser.line;
}

function closeUnmatched(parser) {
  while (parser.open.length > parser.matched) closeTip(parser);
}

function closeTip(parser) {
  const block = parser.open.pop();
  const parent = parser.open.at(-1);
  parser.matched = Math.min(parser.matched, parser.open.length);
  if (block.type === 'paragraph') closeParagraph(parser, block, parent);
  else if (block.type === 'comment' && !block.isClosed) block.type = 'paragraph';
  else if (block.type === 'code' && !block.fence) dropBlankEnd(block.lines);
  else if (block.type === 'list') block.isTight = isTight(block);
  if (block.children?.length > 0) block.last = block.children.at(-1).last;
}

function closeParagraph(parser, block, parent) {
  block.lines = takeDefinitions(block.lines, parser.references);
  if (block.lines.length === 0) parent.children.pop();
  else if (parent.type === 'item' && parent.children[0] === block) readTask(parent, block);
}

function readTask(item, paragraph) {
  const box = TASK.exec(paragraph.lines[0]);
  if (!box) return;
  item.isDone = box[1] !== ' ';
  paragraph.lines[0] = paragraph.lines[0].slice(box[0].length);
}

function dropBlankEnd(lines) {
  while (lines.length > 0 && lines.at(-1).trim() === '') lines.pop();
}

// Loose when a blank line stands between items, or between the blocks of one item.
function isTight(list) {
  const hasGap = (block, index, blocks) => index > 0 && block.first - blocks[index - 1].last > 1;
  return !list.children.some(hasGap) && !list.children.some((item) => item.children.some(hasGap));
}
