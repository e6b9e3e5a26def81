// `json_path`: the answer is JSON with something, or with this value, at a path.
import { canonicalJson, type Json } from '../../base/json.ts';
import { parsePath, selectJson } from '../json-path.ts';
import type { MatcherKind } from './kind.ts';
import type { JsonPath } from './plain-form.ts';
import { readJson } from './read-json.ts';

interface WrittenJsonPath {
  path: string;
  equals?: Json | undefined;
}

export const jsonPath: MatcherKind<JsonPath, WrittenJsonPath> = {
  name: 'json_path',
  ofText: true,
  schema: (z) => z.strictObject({ path: z.string().refine(isPath, 'not a JSON path'), equals: z.json().optional() }),
  plain: ({ path, equals }) => [{ kind: 'json_path', path, ...(equals !== undefined && { equals }) }],
  describe: ({ path }) => `json_path ${path}`,
  async match({ path, equals: wanted }, { text }) {
    const value = readJson(text);
    if (value === undefined) return { ok: false, message: 'is not JSON' };
    const found = selectJson(value, path);
    const fits = found.filter((one) => wanted === undefined || canonicalJson(one) === canonicalJson(wanted));
    const message =
      wanted === undefined
        ? `has nothing at ${path}`
        : `${path} is ${JSON.stringify(found[0])}, not ${JSON.stringify(wanted)}`;
    return { ok: fits.length > 0, message };
  },
};

function isPath(path: string): boolean {
  try {
    return parsePath(path).length > 0;
  } catch {
    return false;
  }
}
