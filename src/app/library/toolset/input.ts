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
  if (isDeeper(given, DEEPEST)) throw tooDeep();
  for (const name of required) if (given[name] === undefined) throw missing(name, Object.keys(properties));
  for (const [name, value] of Object.entries(given)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!isRecord(property)) throw bad(visible(name), `one of ${Object.keys(properties).join(', ')}`);
    if (value !== undefined && !fits(value, property)) throw bad(name, wanted(property));
  }
  return given;
}

export function textIn(input: ToolInput, name: string): string | undefined {
  const value = input[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Deeper than any parameter is, and far from where functions that call themselves run out of stack. */
const DEEPEST = 100;

/** Level by level: what is asked about may be too deep for a function that calls itself. */
function isDeeper(given: object, levels: number): boolean {
  let level: object[] = [given];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= levels) return true;
    level = level.flatMap((one) => Object.values(one).filter((value) => typeof value === 'object' && value !== null));
  }
  return false;
}

function fits(value: unknown, { type, minimum, maximum }: Readonly<Record<string, unknown>>): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'integer':
      return Number.isSafeInteger(value) && !(Number(value) < Number(minimum)) && !(Number(value) > Number(maximum));
    case 'array':
      return isTextList(value);
    default:
      return isRecord(value);
  }
}

function wanted({ type, minimum, maximum }: Readonly<Record<string, unknown>>): string {
  if (type === 'array') return 'a list of texts';
  const within = minimum === undefined ? '' : `, from ${String(minimum)} to ${String(maximum)}`;
  return `of the type ${String(type)}${within}`;
}

function missing(name: string, fields: readonly string[]): Fault {
  const list = fields.join(', ');
  return new Fault('ParamMissing', name, {
    hint: { en: `The tool takes ${list}.`, zh: `该工具的参数: ${list}。` },
  });
}

function bad(name: string, what: string): Fault {
  return new Fault('ParamInvalid', { en: `${name} must be ${what}`, zh: `${name} 必须是 ${what}` });
}

function tooDeep(): Fault {
  return new Fault('ParamInvalid', {
    en: `input must be nested no deeper than ${DEEPEST} levels`,
    zh: `input 的嵌套不得超过 ${DEEPEST} 层`,
  });
}
