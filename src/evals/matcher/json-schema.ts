// `json_schema`: the answer is JSON valid against a schema; `structure` is an alias.
import type { Json } from '../../base/json.ts';
import type { MatcherKind } from './kind.ts';
import type { JsonSchema } from './plain-form.ts';
import { readJson } from './read-json.ts';

export const jsonSchema: MatcherKind<JsonSchema, { [key: string]: Json }> = {
  name: 'json_schema',
  ofText: true,
  schema: (z) => z.record(z.string(), z.json()),
  plain: (schema) => [{ kind: 'json_schema', schema }],
  describe: () => 'json_schema',
  async match({ schema }, { text }) {
    const value = readJson(text);
    if (value === undefined) return { ok: false, message: 'is not JSON' };
    const { fromJSONSchema } = await import('zod');
    const checked = fromJSONSchema(schema).safeParse(value);
    if (checked.success) return { ok: true, message: 'fits the schema' };
    const [issue] = checked.error.issues;
    return { ok: false, message: `does not fit the schema: ${issue?.path.join('.') || 'value'}: ${issue?.message}` };
  },
};

/** The name in other formats. */
export const structure: typeof jsonSchema = { ...jsonSchema, name: 'structure', ofText: false };
