// Reads settings as JSON and knows where each key stands, so that a mistake is named by line and column.
import { type Json, parseJson } from '../base/json.ts';
import { visible } from '../base/text.ts';

export interface Position {
  readonly line: number;
  readonly column: number;
}

export type ConfigText =
  | { readonly value: Json; positionOf(path: readonly PropertyKey[]): Position }
  | { readonly message: string; readonly position: Position };

interface Cursor {
  readonly text: string;
  /** Where the last token begins and ends. */
  start: number;
  end: number;
  readonly keys: Map<string, number>;
}

class Mistake extends Error {}

const STRING = '"(?:[^"\\\\\\u0000-\\u001f]|\\\\(?:["\\\\/bfnrt]|u[0-9a-fA-F]{4}))*"';
const NUMBER = '-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?';
const TOKEN = new RegExp(`[{}\\[\\]:,]|${STRING}|${NUMBER}|true|false|null`, 'y');
const DEPTH_LIMIT = 32;

export function readConfigText(written: string): ConfigText {
  const text = written.replace(/^\ufeff/, '');
  const cursor: Cursor = { text, start: 0, end: 0, keys: new Map() };
  try {
    scanValue(cursor, '', 0);
    if (nextToken(cursor) !== '') throw new Mistake('something stands behind the end of the settings');
  } catch (error) {
    if (error instanceof Mistake) return { message: error.message, position: positionAt(text, cursor.start) };
    throw error;
  }
  return { value: parseJson(text), positionOf: (path) => positionAt(text, offsetOf(cursor.keys, path)) };
}

function scanValue(cursor: Cursor, path: string, depth: number): void {
  if (depth > DEPTH_LIMIT) throw new Mistake(`nested deeper than ${DEPTH_LIMIT} levels`);
  const token = nextToken(cursor);
  if (path === '') cursor.keys.set('', cursor.start);
  if (token === '{') scanObject(cursor, path, depth);
  else if (token === '[') scanList(cursor, path, depth);
  else if (token === '') throw new Mistake('the text ends too early');
  else if (/^[}\]:,]/.test(token)) throw new Mistake(`a value is expected before ${token}`);
}

function scanObject(cursor: Cursor, path: string, depth: number): void {
  let token = nextToken(cursor);
  if (token === '}') return;
  for (;;) {
    if (!token.startsWith('"')) throw new Mistake('a key in double quotes is expected here');
    const key = `${path}/${escapeKey(String(JSON.parse(token)))}`;
    if (cursor.keys.has(key)) throw new Mistake(`the key ${visible(token)} stands here a second time`);
    cursor.keys.set(key, cursor.start);
    if (nextToken(cursor) !== ':') throw new Mistake('a colon is expected after the key');
    scanValue(cursor, key, depth + 1);
    token = nextToken(cursor);
    if (token === '}') return;
    if (token !== ',') throw new Mistake('a comma or } is expected here');
    token = nextToken(cursor);
  }
}

function scanList(cursor: Cursor, path: string, depth: number): void {
  const before = cursor.end;
  if (nextToken(cursor) === ']') return;
  cursor.end = before;
  for (let index = 0; ; index++) {
    const key = `${path}/${index}`;
    skipSpace(cursor);
    cursor.keys.set(key, cursor.end);
    scanValue(cursor, key, depth + 1);
    const token = nextToken(cursor);
    if (token === ']') return;
    if (token !== ',') throw new Mistake('a comma or ] is expected here');
  }
}

/** The next token, or '' at the end. */
function nextToken(cursor: Cursor): string {
  skipSpace(cursor);
  cursor.start = cursor.end;
  if (cursor.end === cursor.text.length) return '';
  TOKEN.lastIndex = cursor.end;
  const token = TOKEN.exec(cursor.text)?.[0];
  if (token === undefined) throw new Mistake(explainCharacter(cursor.text.slice(cursor.end, cursor.end + 2)));
  cursor.end += token.length;
  return token;
}

function skipSpace(cursor: Cursor): void {
  while (' \t\n\r'.includes(cursor.text[cursor.end] ?? '.')) cursor.end++;
}

function explainCharacter(characters: string): string {
  if (/^(?:\/[/*]|#)/.test(characters)) return 'JSON has no comments';
  if (characters.startsWith("'")) return 'text stands in double quotes';
  if (characters.startsWith('"')) return 'this text has no end, or holds a character that must be escaped';
  return `unexpected ${visible(Array.from(characters)[0] ?? '')}`;
}

/** The nearest place that exists: a missing key is reported where it is missed. */
function offsetOf(keys: ReadonlyMap<string, number>, path: readonly PropertyKey[]): number {
  for (let length = path.length; length >= 0; length--) {
    const key = path.slice(0, length).map((part) => `/${escapeKey(String(part))}`);
    const offset = keys.get(key.join(''));
    if (offset !== undefined) return offset;
  }
  return 0;
}

function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
