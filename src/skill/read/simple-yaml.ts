// The few shapes of YAML most frontmatter is written in, read line by line. Where it answers, it says what the parser would.

/** An object without prototype; so are the objects inside it. */
export type Values = Record<string, unknown>;

interface Cursor {
  readonly lines: readonly string[];
  at: number;
}

// Neither what the parser leaves out nor what it reads as something else than its letters.
const KEY = /^(?!(?:true|false|null|constructor|prototype)$)[a-z][\w-]{0,63}$/i;
// Nothing a parser could stop at.
const PRINTABLE = /^[\n -~\u00a1-\ud7ff]*$/;
const WORD_START = /^[A-Za-z\u00a1-\ud7ff]/;
const NO_WORD = /^(?:true|false|null)$/i;
const VERSION = /^\d+\.\d+\.\d+$/;
const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);
const BLOCK_STYLES: ReadonlyMap<string, { readonly join: string; readonly end: string }> = new Map([
  [' >-', { join: ' ', end: '' }],
  [' >', { join: ' ', end: '\n' }],
  [' |-', { join: '\n', end: '' }],
  [' |', { join: '\n', end: '\n' }],
]);
const SPACE = 0x20;

/** The fields of a text in which there is nothing but these shapes; undefined for any other. */
export function readSimpleYaml(text: string): Values | undefined {
  if (!PRINTABLE.test(text)) return undefined;
  const cursor: Cursor = { lines: text.split('\n'), at: 0 };
  const values = readMapping(cursor, 0);
  // All of it was read when only the nothing behind the last line break is left.
  const isWhole = cursor.at > 0 && cursor.at === cursor.lines.length - 1 && lineAt(cursor) === '';
  return isWhole ? values : undefined;
}

/** `key: value` on every line of this indentation; a value may stand below its key only where nothing is indented. */
function readMapping(cursor: Cursor, indent: number): Values | undefined {
  const values: Values = Object.create(null);
  for (let line = lineAt(cursor); line !== '' && indentOf(line) === indent; line = lineAt(cursor)) {
    cursor.at++;
    const colon = line.indexOf(':');
    const key = line.slice(indent, colon);
    if (colon === -1 || !KEY.test(key) || key in values) return undefined;
    const value = readScalar(line, colon + 1) ?? (indent === 0 ? readBelow(cursor, line.slice(colon + 1)) : undefined);
    if (value === undefined) return undefined;
    values[key] = value;
  }
  return values;
}

/** A text, a version or a flag behind one blank. */
function readScalar(line: string, from: number): string | boolean | undefined {
  if (line.charCodeAt(from) !== SPACE) return undefined;
  const written = line.slice(from + 1);
  if (isPlain(written)) return NO_WORD.test(written) ? FLAGS.get(written) : written;
  if (isQuoted(written)) return written.slice(1, -1);
  return VERSION.test(written) ? written : undefined;
}

/** Words without quotes, in which nothing could be a key or a comment. */
function isPlain(written: string): boolean {
  return (
    WORD_START.test(written) &&
    !written.includes(': ') &&
    !written.includes(' #') &&
    !written.endsWith(':') &&
    !written.endsWith(' ')
  );
}

/** Quotes around something that holds neither quotes nor escapes. */
function isQuoted(written: string): boolean {
  const mark = written.charAt(0);
  if (mark !== '"' && mark !== "'") return false;
  return written.indexOf(mark, 1) === written.length - 1 && written.length > 1 && !written.includes('\\');
}

/** What is indented below a key: a block of text, a list, or one more level of fields. */
function readBelow(cursor: Cursor, mark: string): unknown {
  const first = lineAt(cursor);
  const indent = indentOf(first);
  if (indent === 0) return undefined;
  if (mark !== '') return readBlock(cursor, indent, mark);
  return first.startsWith('- ', indent) ? readList(cursor, indent) : readMapping(cursor, indent);
}

function readBlock(cursor: Cursor, indent: number, mark: string): string | undefined {
  const style = BLOCK_STYLES.get(mark);
  if (style === undefined) return undefined;
  const lines: string[] = [];
  for (let line = lineAt(cursor); line.charCodeAt(0) === SPACE; line = lineAt(cursor)) {
    if (indentOf(line) !== indent || line.endsWith(' ')) return undefined;
    lines.push(line.slice(indent));
    cursor.at++;
  }
  return lines.join(style.join) + style.end;
}

function readList(cursor: Cursor, indent: number): unknown[] | undefined {
  const items: unknown[] = [];
  for (let line = lineAt(cursor); line.startsWith('- ', indent) && indentOf(line) === indent; line = lineAt(cursor)) {
    const item = readScalar(line, indent + 1);
    if (item === undefined) return undefined;
    items.push(item);
    cursor.at++;
  }
  return items;
}

function lineAt({ lines, at }: Cursor): string {
  return lines[at] ?? '';
}

function indentOf(line: string): number {
  let indent = 0;
  while (line.charCodeAt(indent) === SPACE) indent++;
  return indent;
}
