// Whether an open block goes on with the next line; what belongs to the block's own mark is taken off the line.
import { advance, indentOf, isBlank } from './line.mjs';

const CODE_INDENT = 4;
const NOTE_INDENT = 4;

/** True, false, or 'ended' when the line is the end of the block and nothing else. */
export function continues(block, line) {
  return (RULES[block.type] ?? never)(block, line);
}

const RULES = {
  document: always,
  list: always,
  quote: continueQuote,
  item: continueItem,
  footnote: (_, line) => isBlank(line) || takeIndent(line, NOTE_INDENT),
  paragraph: (_, line) => !isBlank(line),
  table: (_, line) => !isBlank(line),
  comment: continueComment,
  code: (block, line) => (block.fence ? continueFence(block.fence, line) : continueIndented(line)),
};

function always() {
  return true;
}

function never() {
  return false;
}

function continueQuote(_, line) {
  const indent = indentOf(line);
  if (indent >= CODE_INDENT || line.rest[indent] !== '>') return false;
  advance(line, indent + 1);
  if (line.rest.startsWith(' ')) advance(line, 1);
  return true;
}

// An item that begins with an empty line ends with the second one.
function continueItem(item, line) {
  return isBlank(line) ? item.children.length > 0 : takeIndent(line, item.width);
}

function takeIndent(line, width) {
  if (indentOf(line) < width) return false;
  advance(line, width);
  return true;
}

function continueComment(block, line) {
  if (block.isClosed) return false;
  if (!line.rest.includes('-->')) return true;
  block.isClosed = true;
  return 'ended';
}

function continueFence(fence, line) {
  const indent = indentOf(line);
  const mark = line.rest.trim();
  const closes = mark.length >= fence.length && mark === fence.character.repeat(mark.length);
  if (indent < CODE_INDENT && closes) return 'ended';
  advance(line, Math.min(indent, fence.indent));
  return true;
}

function continueIndented(line) {
  if (isBlank(line)) advance(line, Math.min(indentOf(line), CODE_INDENT));
  else return takeIndent(line, CODE_INDENT);
  return true;
}
