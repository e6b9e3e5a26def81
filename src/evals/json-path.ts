// The part of JSONPath that cases need: names, indexes and *, from the root down.
import { isRecord, type Json } from '../base/json.ts';

const PART = /\.([\p{L}\p{N}_-]+)|\[(-?\d+)\]|\[(?:'([^']*)'|"([^"]*)")\]|(\.\*|\[\*\])/uy;

/** Every value the path matches; throws a SyntaxError for an invalid path. */
export function selectJson(value: Json, path: string): Json[] {
  let found: Json[] = [value];
  for (const part of parsePath(path)) found = found.flatMap((one) => step(one, part));
  return found;
}

type Part = { readonly name: string } | { readonly index: number } | 'every';

export function parsePath(path: string): Part[] {
  const parts: Part[] = [];
  PART.lastIndex = path.startsWith('$') ? 1 : 0;
  const text = path.startsWith('$') ? path : `.${path}`;
  while (PART.lastIndex < text.length) {
    const at = PART.lastIndex;
    const match = PART.exec(text);
    if (!match) throw new SyntaxError(`not a JSON path: ${path} (at ${at})`);
    const [, name, index, single, double, every] = match;
    if (every !== undefined) parts.push('every');
    else parts.push(index === undefined ? { name: name ?? single ?? double ?? '' } : { index: Number(index) });
  }
  return parts;
}

function step(value: Json, part: Part): Json[] {
  if (part === 'every') return Array.isArray(value) || isRecord(value) ? Object.values(value) : [];
  if ('index' in part) {
    const item = Array.isArray(value) ? value.at(part.index) : undefined;
    return item === undefined ? [] : [item];
  }
  return isRecord(value) && Object.hasOwn(value, part.name) ? [value[part.name] ?? null] : [];
}
