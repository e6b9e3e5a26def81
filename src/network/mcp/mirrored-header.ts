// What of a call's arguments a server by its address wants in headers as well: a definition that asks for more than
// the protocol allows is no tool.
import { isRecord } from '../../base/json.ts';

const KEY = 'x-mcp-header';
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const TYPES = new Set<unknown>(['string', 'integer', 'boolean']);

/** True where every header is a name of its own, for a plain value that stands in properties and nowhere else. */
export function mirrorsFairly(inputSchema: unknown): boolean {
  const seen = new Set<string>();
  const isFair = (node: unknown, isProperty: boolean): boolean => {
    if (Array.isArray(node)) return node.every((one) => isFair(one, false));
    if (!isRecord(node)) return true;
    if (KEY in node && !(isProperty && isNew(node))) return false;
    return Object.entries(node).every(([key, below]) =>
      key === 'properties' && isRecord(below)
        ? Object.values(below).every((one) => isFair(one, isProperty || node === inputSchema))
        : isFair(below, false),
    );
  };
  const isNew = ({ [KEY]: name, type }: Record<string, unknown>): boolean => {
    if (typeof name !== 'string' || !TOKEN.test(name) || !TYPES.has(type) || seen.has(name.toLowerCase())) return false;
    seen.add(name.toLowerCase());
    return true;
  };
  return isFair(inputSchema, false);
}
