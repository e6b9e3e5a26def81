// Reads settings as JSON and knows where each key stands, so that a mistake is named by line and column.
import { type Json, parseJson, readJsonString } from '../base/json.ts';
import type { Text } from '../base/language.ts';
import { visible } from '../base/text.ts';

export interface Position {
  readonly line: number;
  readonly column: number;
}

export type ConfigText =
  | { readonly value: Json; positionOf(path: readonly PropertyKey[]): Position }
  | { readonly message: Text; readonly position: Position };

interface Cursor {
  readonly text: string;
  /** Where the last token begins and ends. */
  start: number;
  end: number;
  readonly keys: Map<string, number>;
}

class Mistake extends Error {
  readonly says: Text;

  constructor(says: Text) {
    super(says.en);
    this.says = says;
  }
}

const STRING = '"(?:[^"\\\\\\u0000-\\u001f]|\\\\(?:["\\\\/bfnrt]|u[0-9a-fA-F]{4}))*"';
const NUMBER = '-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?';
const TOKEN = new RegExp(`[{}\\[\\]:,]|${STRING}|${NUMBER}|true|false|null`, 'y');
const DEPTH_LIMIT = 32;

export function readConfigText(written: string): ConfigText {
  const text = written.replace(/^\ufeff/, '');
  const cursor: Cursor = { text, start: 0, end: 0, keys: new Map() };
  try {
    scanValue(cursor, '', 0);
    if (nextToken(cursor) !== '')
      throw new Mistake({ en: 'something stands behind the end of the settings', zh: '配置结束之后还有内容' });
  } catch (error) {
    if (error instanceof Mistake) return { message: error.says, position: positionAt(text, cursor.start) };
    throw error;
  }
  return { value: parseJson(text), positionOf: (path) => positionAt(text, offsetOf(cursor.keys, path)) };
}

function scanValue(cursor: Cursor, path: string, depth: number): void {
  if (depth > DEPTH_LIMIT)
    throw new Mistake({ en: `nested deeper than ${DEPTH_LIMIT} levels`, zh: `嵌套超过 ${DEPTH_LIMIT} 层` });
  const token = nextToken(cursor);
  if (path === '') cursor.keys.set('', cursor.start);
  if (token === '{') scanObject(cursor, path, depth);
  else if (token === '[') scanList(cursor, path, depth);
  else if (token === '') throw new Mistake({ en: 'the text ends too early', zh: '文本过早结束' });
  else if (/^[}\]:,]/.test(token))
    throw new Mistake({ en: `a value is expected before ${token}`, zh: `${token} 之前应有值` });
}

function scanObject(cursor: Cursor, path: string, depth: number): void {
  let token = nextToken(cursor);
  if (token === '}') return;
  for (;;) {
    if (!token.startsWith('"'))
      throw new Mistake({ en: 'a key in double quotes is expected here', zh: '此处应为双引号中的键' });
    const key = `${path}/${escapeKey(readJsonString(token))}`;
    if (cursor.keys.has(key)) throw new Mistake(keyTwice(visible(token)));
    cursor.keys.set(key, cursor.start);
    if (nextToken(cursor) !== ':') throw new Mistake({ en: 'a colon is expected after the key', zh: '键之后应为冒号' });
    scanValue(cursor, key, depth + 1);
    token = nextToken(cursor);
    if (token === '}') return;
    if (token !== ',') throw new Mistake({ en: 'a comma or } is expected here', zh: '此处应为逗号或 }' });
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
    if (token !== ',') throw new Mistake({ en: 'a comma or ] is expected here', zh: '此处应为逗号或 ]' });
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

function keyTwice(key: string): Text {
  return { en: `the key ${key} stands here a second time`, zh: `键 ${key} 在此重复出现` };
}

function explainCharacter(characters: string): Text {
  if (/^(?:\/[/*]|#)/.test(characters)) return { en: 'JSON has no comments', zh: 'JSON 没有注释' };
  if (characters.startsWith("'")) return { en: 'text stands in double quotes', zh: '文本须放在双引号中' };
  if (characters.startsWith('"'))
    return {
      en: 'this text has no end, or holds a character that must be escaped',
      zh: '此文本没有结尾，或含有须转义的字符',
    };
  const first = visible(Array.from(characters)[0] ?? '');
  return { en: `unexpected ${first}`, zh: `意外的 ${first}` };
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
