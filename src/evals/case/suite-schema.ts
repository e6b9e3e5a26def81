// The JSON Schema of a file of cases, for editors and for `skillwright schema eval`; generated from the schema that checks them.
import { z } from 'zod';
import { writtenCase } from './schema.ts';

export function suiteJsonSchema(): Record<string, unknown> {
  const { $schema, $defs, ...single } = z.toJSONSchema(writtenCase, { io: 'input' });
  const { input, turns, ...others } = single.properties ?? {};
  // Refinements are not part of the generated schema: one of the two keys, never both.
  const anyOf = [{ input }, { turns }].map((asked) => ({
    ...single,
    properties: { ...asked, ...others },
    required: Object.keys(asked),
  }));
  return {
    $schema,
    title: 'Skillwright eval suite',
    description: 'One case, a list of cases, or cases with defaults.',
    anyOf: [
      { $ref: '#/$defs/case' },
      { type: 'array', items: { $ref: '#/$defs/case' } },
      {
        type: 'object',
        properties: {
          name: { type: 'string' },
          description: { type: 'string' },
          defaults: { type: 'object', properties: others, additionalProperties: false },
          cases: { type: 'array', items: { $ref: '#/$defs/case' } },
        },
        required: ['cases'],
        additionalProperties: false,
      },
    ],
    $defs: { ...$defs, case: { anyOf } },
  };
}
