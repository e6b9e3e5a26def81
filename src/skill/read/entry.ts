// The top-level fields of a frontmatter as lines of text: where each begins, and what was written there.

export interface FieldEntry {
  /** Empty for lines that belong to no field. */
  readonly key: string;
  /** Counted from 0, inside the frontmatter. */
  readonly line: number;
  readonly text: string;
}

const KEY = /^(?:"([^"]{1,80})"|'([^']{1,80})'|([\p{L}_][\p{L}\p{N}_.-]{0,79}))[ \t]*:(?=[ \t]|$)/u;

/** The key a line at column 0 begins, if it begins one. */
export function keyOf(line: string): string | undefined {
  const match = KEY.exec(line);
  return match ? (match[1] ?? match[2] ?? match[3]) : undefined;
}

/** Cuts the text at every line that begins a field; other lines belong to the field above them. */
export function splitEntries(text: string): FieldEntry[] {
  const entries: { key: string; line: number; lines: string[] }[] = [];
  for (const [line, content] of splitLines(text).entries()) {
    const key = keyOf(content);
    if (key !== undefined) entries.push({ key, line, lines: [content] });
    else if (entries.length > 0) entries.at(-1)?.lines.push(content);
    else if (content.trim() !== '' && !content.startsWith('#')) entries.push({ key: '', line, lines: [content] });
  }
  return entries.map(({ key, line, lines }) => ({ key, line, text: lines.join('\n') }));
}

export function splitLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}

/** The line each field begins on, counted from 0. */
export function linesOfKeys(text: string): Map<string, number> {
  const lines = new Map<string, number>();
  for (const [line, content] of splitLines(text).entries()) {
    const key = keyOf(content);
    if (key !== undefined && !lines.has(key)) lines.set(key, line);
  }
  return lines;
}

/** What stands after the colon, as it was written: `1.10` stays `1.10`. Undefined when it is not one plain word. */
export function sourceToken(text: string, key: string): string | undefined {
  const line = splitLines(text).find((content) => keyOf(content) === key);
  if (line === undefined) return undefined;
  const written = line.slice(line.indexOf(':', line.indexOf(key) + key.length) + 1);
  const comment = written.search(/[ \t]#/);
  const token = (comment === -1 ? written : written.slice(0, comment)).trim();
  return token === '' || /^["'&*!|>]/.test(token) ? undefined : token;
}
