// JSON from outside: one document, bounded depth, no prototype keys; and a canonical form for hashing.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const DEPTH_LIMIT = 64;

/** Parses one document whose objects have no prototype. Throws SyntaxError with a plain reason. */
export function parseJson(text: string, depthLimit = DEPTH_LIMIT): Json {
  refuseDepth(text, depthLimit);
  return withoutPrototypes(JSON.parse(text.replace(/^\ufeff/, '')) as Json);
}

/** Keys sorted, so that equal values have equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isRecord(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withoutPrototypes(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutPrototypes);
  if (!isRecord(value)) return value;
  const copy: { [key: string]: Json } = Object.create(null);
  for (const [key, part] of Object.entries(value)) copy[key] = withoutPrototypes(part as Json);
  return copy;
}

// JSON.parse recurses; 100,000 brackets must be a plain refusal, found before it starts.
function refuseDepth(text: string, limit: number): void {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === 0x5c) index++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > limit) throw new SyntaxError(`nested deeper than ${limit} levels`);
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
}
