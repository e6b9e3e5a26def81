// JSON from outside: one document, bounded depth, no prototype keys; and a canonical form for hashing.
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const DEPTH_LIMIT = 64;

/** Parses one document whose objects have no prototype. Throws SyntaxError with a plain reason. */
export function parseJson(text: string, depthLimit = DEPTH_LIMIT): Json {
  refuseOddities(text, depthLimit);
  return withoutPrototypes(JSON.parse(text.replace(/^\ufeff/, '')));
}

/** Undefined for a text that is no JSON; what it holds is for the caller to check. */
export function jsonIfValid(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** One string in its quotes. Throws SyntaxError for anything else. */
export function readJsonString(quoted: string): string {
  const value: unknown = JSON.parse(quoted);
  if (typeof value === 'string') return value;
  throw new SyntaxError('not a string');
}

/** Keys sorted, so that equal values have equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isRecord(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}

export function isRecord(value: Json | undefined): value is { [key: string]: Json };
export function isRecord(value: unknown): value is Record<string, unknown>;
export function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether JSON could have said it. */
export function isJson(value: unknown): value is Json {
  if (value === null || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string')
    return true;
  if (Array.isArray(value)) return value.every(isJson);
  return isRecord(value) && Object.values(value).every(isJson);
}

/** The same as plain data, as it is stored: fields that hold nothing are gone. */
export function toJson(value: object): Json {
  return JSON.parse(JSON.stringify(value));
}

export function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function withoutPrototypes(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutPrototypes);
  if (!isRecord(value)) return value;
  const copy: { [key: string]: Json } = Object.create(null);
  for (const [key, part] of Object.entries(value)) copy[key] = withoutPrototypes(part);
  return copy;
}

// JSON.parse recurses, and keeps the last of two equal keys; both are found before it starts.
function refuseOddities(text: string, limit: number): void {
  const open: (Set<string> | undefined)[] = [];
  const token = /["[\]{}]/g;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const [found] = match;
    if (found === '{' || found === '[') {
      open.push(found === '{' ? new Set() : undefined);
      if (open.length > limit) throw new SyntaxError(`nested deeper than ${limit} levels`);
    } else if (found === '}' || found === ']') open.pop();
    else {
      token.lastIndex = stringEnd(text, match.index);
      if (isKey(text, token.lastIndex)) refuseTwice(open.at(-1), text.slice(match.index, token.lastIndex));
    }
  }
}

// Without a pattern: on a string of many megabytes one would run out of stack.
function stringEnd(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let escapes = 0;
    while (text[quote - 1 - escapes] === '\\') escapes++;
    if (escapes % 2 === 0) return quote + 1;
  }
  return text.length;
}

function isKey(text: string, end: number): boolean {
  let next = end;
  while (' \n\r\t'.includes(text[next] ?? '-')) next++;
  return text[next] === ':';
}

function refuseTwice(keys: Set<string> | undefined, key: string): void {
  if (keys?.has(key)) throw new SyntaxError(`the key ${key} stands twice in one object`);
  keys?.add(key);
}
