// Text that was written without the quotes YAML wants: `a: b` inside a value, `[x] text`, a leading @ or backtick.
import { type FieldEntry, splitLines } from './entry.ts';

export interface Requoted {
  readonly value: string;
  /** The field with its value in quotes. */
  readonly text: string;
  /** How many lines of the entry it replaces. */
  readonly lines: number;
}

/** The field as one quoted text; undefined where the value was meant as something else than text. */
export function requote({ key, text }: FieldEntry): Requoted | undefined {
  const lines = withoutTrailing(splitLines(text));
  const [first = '', ...more] = lines;
  const colon = endOfKey(first, key);
  if (colon === undefined) return undefined;
  // Below a bare key stands a list or a map that went wrong.
  if (first.slice(colon).trim() === '') return undefined;
  const value = fold([first.slice(colon), ...more]);
  if (!isPlainText(value, more.length > 0)) return undefined;
  return { value, text: `${first.slice(0, colon)} ${quote(value)}`, lines: lines.length };
}

/** In single quotes where that spares escapes. */
export function quote(value: string): string {
  return /["\\]/.test(value) && !value.includes('\n') ? `'${value.replaceAll("'", "''")}'` : JSON.stringify(value);
}

function endOfKey(line: string, key: string): number | undefined {
  const start = line.indexOf(key);
  const colon = key === '' || start === -1 ? -1 : line.indexOf(':', start + key.length);
  return colon === -1 ? undefined : colon + 1;
}

function isPlainText(value: string, isLong: boolean): boolean {
  const first = value.charAt(0);
  if (first === '|' || first === '>') return false;
  if (first === '-' && /^-\s/.test(value)) return false;
  if (!`"'[{`.includes(first)) return true;
  const end = endOfOpening(value);
  return !isLong && end !== -1 && /^\s*[^\s#]/.test(value.slice(end + 1));
}

// `[x] text` and `"x" text` are text; `[x` and `{x: }` are broken collections.
function endOfOpening(value: string): number {
  const first = value.charAt(0);
  if (first === '"' || first === "'") return value.indexOf(first, 1);
  const closing = first === '[' ? ']' : '}';
  let depth = 0;
  for (let at = 0; at < value.length; at++) {
    if (value[at] === first) depth++;
    else if (value[at] === closing && --depth === 0) return at;
  }
  return -1;
}

function withoutTrailing(lines: string[]): string[] {
  let end = lines.length;
  while (end > 1 && /^\s*$|^#/.test(lines[end - 1] ?? '')) end--;
  return lines.slice(0, end);
}

function fold(lines: readonly string[]): string {
  let folded = '';
  for (const line of lines.map((part) => part.trim())) {
    if (line === '') folded += '\n';
    else folded += folded === '' || folded.endsWith('\n') ? line : ` ${line}`;
  }
  return folded.trim();
}
