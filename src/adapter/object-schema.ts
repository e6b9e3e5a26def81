// The schema of a tool's input as frameworks type it: an object with named properties and nothing beside them.
import type { ToolSchema } from '../index.ts';

/** Not strict: an action has parameters of its own, which no schema here names. */
export interface ObjectSchema {
  readonly type: 'object';
  readonly properties: Record<string, object>;
  readonly required: string[];
  readonly additionalProperties: false;
}

export function objectSchema({ properties, required }: ToolSchema): ObjectSchema {
  const named = typeof properties === 'object' && properties !== null ? Object.entries(properties) : [];
  return {
    type: 'object',
    properties: structuredClone(Object.fromEntries(named)),
    required: Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [],
    additionalProperties: false,
  };
}
