// Text to a flat list of tokens, in one pass over the characters; nothing is nested, so nothing can recurse.

import { linkAddresses } from './address.mjs';
import { keyOf, readLabel, readTarget } from './definition.mjs';
import { makeDelimiter, matchDelimiters, spreadDelimiters } from './emphasis.mjs';
import { isPunctuation, readReference } from './entity.mjs';

const PLAIN = /[^\n\\`*_~[\]!<&]+/y;
const AUTOLINK = /<(?:([A-Za-z][A-Za-z\d+.-]{1,31}:[^\s<>]*)|([\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z\d.-]+))>/y;
const LINE_BREAK = /<br[ \t]{0,3}\/?>/iy;
const NOTE = /\[\^([^\s[\]]{1,200})\]/y;

/**
 * Tokens: text {text}, code {text}, break {isHard}, image {href, title, alt}, note {label},
 * open and close {tag, href?, title?}.
 */
export function parseInline(source, { references, footnotes }) {
  const state = {
    text: source.trim(),
    at: 0,
    tokens: [],
    brackets: [],
    // Brackets below this one stand before a link and can open none: links do not nest.
    closedBelow: 0,
    lastDelimiter: undefined,
    references,
    footnotes,
  };
  while (state.at < state.text.length) readNext(state);
  matchDelimiters(state, undefined);
  return linkAddresses(mergeText(spreadDelimiters(state.tokens)));
}

/** What a reader would say aloud. */
export function plainText(tokens) {
  return tokens.map(({ type, text, alt }) => (type === 'break' ? ' ' : (text ?? alt ?? ''))).join('');
}

const READERS = {
  '\n': readBreak,
  '\\': readEscape,
  '`': readCode,
  '*': readDelimiter,
  _: readDelimiter,
  '~': readDelimiter,
  '[': readOpening,
  '!': readOpening,
  ']': readClosing,
  '<': readAngle,
  '&': readEntity,
};

function readNext(state) {
  const plain = matchAt(PLAIN, state);
  if (plain) addText(state, plain[0]);
  else if (!READERS[state.text[state.at]](state)) addText(state, state.text[state.at++]);
}

function readBreak(state) {
  const before = state.tokens.at(-1);
  const isHard = before?.type === 'text' && before.text.endsWith('  ');
  state.at++;
  return addBreak(state, isHard);
}

/** The space around a break is not part of the text. */
function addBreak(state, isHard) {
  const before = state.tokens.at(-1);
  if (before?.type === 'text') before.text = before.text.trimEnd();
  while (state.text[state.at] === ' ' || state.text[state.at] === '\t') state.at++;
  state.tokens.push({ type: 'break', isHard });
  return true;
}

function readEscape(state) {
  const next = state.text[state.at + 1];
  if (next !== '\n' && !isPunctuation(next)) return false;
  if (next === '\n') addText(state, '  ');
  else addText(state, next);
  state.at += next === '\n' ? 1 : 2;
  return true;
}

function readCode(state) {
  const { text, at } = state;
  state.runs ??= findRuns(text);
  let length = 1;
  while (text[at + length] === '`') length++;
  const ends = state.runs.get(length) ?? [];
  while (ends.length > 0 && ends.at(-1) < at + length) ends.pop();
  state.at += length;
  const end = ends.at(-1);
  if (end === undefined) {
    addText(state, '`'.repeat(length));
    return true;
  }
  state.tokens.push({ type: 'code', text: trimCode(text.slice(at + length, end).replaceAll('\n', ' ')) });
  state.at = end + length;
  return true;
}

/** Where the runs of backticks of each length stand, the last one first. */
function findRuns(text) {
  const runs = new Map();
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    if (!runs.has(run.length)) runs.set(run.length, []);
    runs.get(run.length).push(index);
  }
  for (const places of runs.values()) places.reverse();
  return runs;
}

function trimCode(text) {
  const isPadded = text.startsWith(' ') && text.endsWith(' ') && text.trim() !== '';
  return isPadded ? text.slice(1, -1) : text;
}

function readDelimiter(state) {
  const { text, at } = state;
  let end = at + 1;
  while (text[end] === text[at]) end++;
  state.at = end;
  const run = text.slice(at, end);
  if (run[0] === '~' && run.length !== 2) addText(state, run);
  else state.tokens.push(makeDelimiter(state, run, at, end));
  return true;
}

function readOpening(state) {
  const isImage = state.text[state.at] === '!';
  if (isImage && state.text[state.at + 1] !== '[') return false;
  if (!isImage && readNote(state)) return true;
  state.at += isImage ? 2 : 1;
  const token = { type: 'text', text: isImage ? '![' : '[', isBracket: true };
  state.brackets.push({ isImage, token, place: state.tokens.length, textAt: state.at, below: state.lastDelimiter });
  state.tokens.push(token);
  return true;
}

function readNote(state) {
  const note = matchAt(NOTE, state, false);
  const label = note?.[1].toLowerCase();
  if (!note || !state.footnotes.has(label)) return false;
  state.at += note[0].length;
  state.tokens.push({ type: 'note', label });
  return true;
}

function readClosing(state) {
  const opening = state.brackets.pop();
  if (!opening) return false;
  const isClosed = !opening.isImage && state.brackets.length < state.closedBelow;
  state.closedBelow = Math.min(state.closedBelow, state.brackets.length);
  const target = isClosed ? undefined : readLinkTarget(state, opening);
  if (!target) return false;
  matchDelimiters(state, opening.below);
  state.at = target.end;
  if (opening.isImage) addImage(state, opening, target);
  else addLink(state, opening, target);
  return true;
}

/** `(target)`, `[label]`, `[]` or nothing after the bracket, in this order. */
function readLinkTarget({ text, at, references }, opening) {
  const inline = readTarget(text, at + 1);
  if (inline) return inline;
  const label = readLabel(text, at + 1);
  const own = label ? label.key : keyOf(text.slice(opening.textAt, Math.min(at, opening.textAt + 1000)));
  const found = own === undefined ? undefined : references.get(own);
  if (!found) return undefined;
  const isCollapsed = text.startsWith('[]', at + 1);
  return { ...found, end: label?.end ?? at + (isCollapsed ? 3 : 1) };
}

function addImage(state, opening, { href, title }) {
  const inside = spreadDelimiters(state.tokens.splice(opening.place).slice(1));
  state.tokens.push({ type: 'image', href, title, alt: plainText(inside) });
}

function addLink(state, opening, { href, title }) {
  Object.assign(opening.token, { type: 'open', tag: 'a', href, title, text: undefined });
  state.tokens.push({ type: 'close', tag: 'a' });
  state.closedBelow = state.brackets.length;
}

function readAngle(state) {
  const link = matchAt(AUTOLINK, state);
  if (link) {
    const [, address, mail] = link;
    const open = { type: 'open', tag: 'a', href: address ?? `mailto:${mail}` };
    state.tokens.push(open, { type: 'text', text: address ?? mail }, { type: 'close', tag: 'a' });
    return true;
  }
  if (matchAt(LINE_BREAK, state)) {
    addText(state, '  ');
    return state.text[state.at] === '\n' || addBreak(state, true);
  }
  return skipComment(state);
}

function skipComment(state) {
  if (state.hasNoCommentEnd || !state.text.startsWith('<!--', state.at)) return false;
  const end = state.text.indexOf('-->', state.at);
  state.hasNoCommentEnd = end === -1;
  if (end !== -1) state.at = end + 3;
  return end !== -1;
}

function readEntity(state) {
  const reference = readReference(state.text, state.at);
  if (!reference) return false;
  addText(state, reference.text);
  state.at = reference.end;
  return true;
}

function addText({ tokens }, text) {
  const last = tokens.at(-1);
  if (last?.type === 'text' && !last.isBracket) last.text += text;
  else tokens.push({ type: 'text', text });
}

function mergeText(tokens) {
  const merged = [];
  for (const token of tokens) {
    const last = merged.at(-1);
    if (token.type === 'text' && last?.type === 'text') last.text += token.text;
    else merged.push(token.type === 'text' ? { type: 'text', text: token.text } : token);
  }
  return merged;
}

function matchAt(pattern, state, consume = true) {
  pattern.lastIndex = state.at;
  const match = pattern.exec(state.text);
  if (match && consume) state.at += match[0].length;
  return match;
}
