// Link destinations, titles and labels, and the definitions `[label]: target "title"` at the start of a paragraph.
import { unescapeText } from './entity.mjs';

const MAX_LABEL = 999;
const MAX_PARENTHESES = 32;
const SPACE = /[ \t\n]*/y;
const BLANK = /[ \t]*/y;

/** Puts the definitions into `references` (the first one counts) and returns the lines that are left. */
export function takeDefinitions(lines, references) {
  if (!lines[0]?.startsWith('[')) return lines;
  const text = lines.join('\n');
  let at = 0;
  for (let found = readDefinition(text, 0); found; found = readDefinition(text, at)) {
    if (!references.has(found.label)) references.set(found.label, { href: found.href, title: found.title });
    at = found.end;
  }
  if (at === 0) return lines;
  return at >= text.length ? [] : text.slice(at).split('\n');
}

function readDefinition(text, at) {
  const label = readLabel(text, at);
  if (!label || text[label.end] !== ':') return undefined;
  const destination = readDestination(text, skipSpace(text, label.end + 1));
  if (!destination || destination.start === destination.end) return undefined;
  const titleAt = skipSpace(text, destination.end);
  const title = titleAt > destination.end ? readTitle(text, titleAt) : undefined;
  const { href } = destination;
  if (title && isLineEnd(text, title.end)) {
    return { label: label.key, href, title: title.text, end: nextLine(text, title.end) };
  }
  if (!isLineEnd(text, destination.end)) return undefined;
  return { label: label.key, href, title: undefined, end: nextLine(text, destination.end) };
}

/** `[label]` at this place: its key for looking up, and where it ends. */
export function readLabel(text, at) {
  if (text[at] !== '[') return undefined;
  for (let end = at + 1; end < text.length && end - at <= MAX_LABEL; end++) {
    if (text[end] === '\\') end++;
    else if (text[end] === '[') return undefined;
    else if (text[end] === ']') {
      const key = keyOf(text.slice(at + 1, end));
      return key === undefined ? undefined : { key, end: end + 1 };
    }
  }
  return undefined;
}

/** Labels match without regard to case and space; undefined for one that is empty or too long. */
export function keyOf(label) {
  if (label.length > MAX_LABEL) return undefined;
  const key = label.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase();
  return key === '' ? undefined : key;
}

/** `(target "title")` at this place. */
export function readTarget(text, at) {
  if (text[at] !== '(') return undefined;
  const destination = readDestination(text, skipSpace(text, at + 1));
  if (!destination) return undefined;
  const titleAt = skipSpace(text, destination.end);
  const title = titleAt > destination.end ? readTitle(text, titleAt) : undefined;
  const end = title ? skipSpace(text, title.end) : titleAt;
  if (text[end] !== ')') return undefined;
  return { href: destination.href, title: title?.text, end: end + 1 };
}

function readDestination(text, start) {
  return text[start] === '<' ? readPointed(text, start) : readPlain(text, start);
}

function readPointed(text, start) {
  for (let end = start + 1; end < text.length && text[end] !== '\n' && text[end] !== '<'; end++) {
    if (text[end] === '\\') end++;
    else if (text[end] === '>') return { href: unescapeText(text.slice(start + 1, end)), start, end: end + 1 };
  }
  return undefined;
}

function readPlain(text, start) {
  let depth = 0;
  let end = start;
  for (; end < text.length && text.charCodeAt(end) > 32 && text.charCodeAt(end) !== 127; end++) {
    if (text[end] === '\\' && end + 1 < text.length && text.charCodeAt(end + 1) > 32) end++;
    else if (text[end] === '(' && ++depth > MAX_PARENTHESES) return undefined;
    else if (text[end] === ')' && --depth < 0) break;
  }
  if (depth > 0) return undefined;
  return { href: unescapeText(text.slice(start, end)), start, end };
}

function readTitle(text, start) {
  const closing = { '"': '"', "'": "'", '(': ')' }[text[start]];
  if (closing === undefined) return undefined;
  for (let end = start + 1; end < text.length; end++) {
    if (text[end] === '\\') end++;
    else if (text[end] === closing) return { text: unescapeText(text.slice(start + 1, end)), end: end + 1 };
    else if (text[end] === '(' && closing === ')') return undefined;
  }
  return undefined;
}

function skipSpace(text, at) {
  return skip(SPACE, text, at);
}

function skip(pattern, text, at) {
  pattern.lastIndex = at;
  pattern.exec(text);
  return pattern.lastIndex;
}

function isLineEnd(text, at) {
  const end = skip(BLANK, text, at);
  return end === text.length || text[end] === '\n';
}

function nextLine(text, at) {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
}
