// A file of cases as JSON Schema, for editors and for `skillwright schema eval`; it is made from what checks the cases.
import { z } from 'zod';
import { writtenCase } from './schema.ts';

export function suiteJsonSchema(): Record<string, unknown> {
  const { $schema, $defs, ...single } = z.toJSONSchema(writtenCase, { io: 'input' });
  const { input, turns, ...others } = single.properties ?? {};
  // What a refinement checks is not in the schema that is made of it: one of the two, never both.
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
