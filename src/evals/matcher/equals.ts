// `equals`: the answer is this text, or JSON equal to this value.
import { canonicalJson, type Json } from '../../base/json.ts';
import type { MatcherKind } from './kind.ts';
import type { Equals } from './plain-form.ts';
import { readJson } from './read-json.ts';

export const equals: MatcherKind<Equals, Json> = {
  name: 'equals',
  ofText: true,
  schema: (z) => z.json(),
  plain: (value) => [{ kind: 'equals', value }],
  describe: ({ value }) => `equals ${JSON.stringify(value)}`,
  match: async ({ value }, { text }) => ({ ok: isEqual(value, text), message: `is not ${JSON.stringify(value)}` }),
};

/** A text as it is, trimmed; any other value compared as JSON. */
function isEqual(value: Json, text: string): boolean {
  if (typeof value === 'string') return text.trim() === value.trim();
  const read = readJson(text);
  return read !== undefined && canonicalJson(read) === canonicalJson(value);
}
