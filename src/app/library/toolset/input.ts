// What a model gave a tool, held against the tool's own schema: in sentences it can correct itself by.
import { Fault } from '../../../base/errors.ts';
import { isRecord, isTextList } from '../../../base/json.ts';
import { visible } from '../../../base/text.ts';
import type { ToolSchema } from '../public/toolset.ts';

export type ToolInput = Readonly<Record<string, unknown>>;

/** Throws a Fault that names the field. Enums are only told: skills come and go while a model works. */
export function readInput(given: unknown, schema: ToolSchema): ToolInput {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const required = isTextList(schema.required) ? schema.required : [];
  if (!isRecord(given)) throw bad('input', 'an object');
  for (const name of required) if (given[name] === undefined) throw new Fault('ParamMissing', name);
  for (const [name, value] of Object.entries(given)) {
    const property = properties[name];
    if (!isRecord(property)) throw bad(visible(name), `one of ${Object.keys(properties).join(', ')}`);
    if (value !== undefined && !fits(value, property)) throw bad(name, wanted(property));
  }
  return given;
}

export function textIn(input: ToolInput, name: string): string | undefined {
  const value = input[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function fits(value: unknown, { type }: Readonly<Record<string, unknown>>): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'integer':
      return Number.isSafeInteger(value);
    case 'array':
      return isTextList(value);
    default:
      return isRecord(value);
  }
}

function wanted({ type }: Readonly<Record<string, unknown>>): string {
  return type === 'array' ? 'a list of texts' : `of the type ${String(type)}`;
}

function bad(name: string, what: string): Fault {
  return new Fault('ParamInvalid', { en: `${name} must be ${what}`, zh: `${name} 必须是 ${what}` });
}
