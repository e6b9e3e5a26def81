// The compatibility shim for responses of older skills: it repairs the shape and reports what it repaired.
import type { Json } from '../base/json.ts';

const ENVELOPE = new Set(['success', 'action', 'data', 'message', 'metadata', 'error']);

export function mendLegacy(answer: Readonly<Record<string, Json>>): { value: Record<string, Json>; mended: string[] } {
  const value: Record<string, Json> = { ...answer };
  const mended: string[] = [];
  if (typeof value.error === 'string') {
    value.error = { code: 'INTERNAL_ERROR', message: value.error };
    mended.push('"error" was a text; it is now {code, message}');
  }
  if (value.success === undefined) {
    value.success = value.error === undefined;
    mended.push(`"success" was missing; it is now ${value.success}`);
  }
  if (value.success === true && value.data === undefined) gatherData(value, mended);
  return { value, mended };
}

function gatherData(value: Record<string, Json>, mended: string[]): void {
  const loose = Object.keys(value).filter((key) => !ENVELOPE.has(key));
  if (loose.length === 0) return;
  const data: { [key: string]: Json } = Object.create(null);
  for (const key of loose) {
    data[key] = value[key] ?? null;
    delete value[key];
  }
  value.data = data;
  mended.push(`the result stood beside "success"; ${loose.join(', ')} moved into "data"`);
}
