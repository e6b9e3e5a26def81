// A JSON Schema as the Standard Schema that frameworks take: what a model gives is checked by the tool itself.
import type { ToolSchema } from '../index.ts';

/** As standardschema.dev describes it, with the extension for JSON Schema. */
export interface StandardSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'skillwright';
    readonly validate: (value: unknown) => { readonly value: unknown };
    readonly jsonSchema: {
      readonly input: () => Record<string, unknown>;
      readonly output: () => Record<string, unknown>;
    };
  };
}

/** Everything passes: the tool tells the model in a sentence what was wrong, which it can correct itself by. */
export function standardSchema(schema: ToolSchema): StandardSchema {
  // A copy each time: frameworks change what they are given.
  const copy = () => structuredClone<Record<string, unknown>>({ ...schema });
  const validate = (value: unknown) => ({ value });
  return {
    '~standard': { version: 1, vendor: 'skillwright', validate, jsonSchema: { input: copy, output: copy } },
  };
}
