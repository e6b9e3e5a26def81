// Checks values against what the action declares before anything is queued: a running job has nobody to ask.
import type { Json } from '../base/json.ts';
import type { Param } from '../skill/skill.ts';
import { invalid, readText } from '../skill/value.ts';

const JSON_TYPES: Readonly<Partial<Record<Param['type'], 'number' | 'boolean'>>> = {
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
};

/** Throws a Fault for the first value that does not fit; the door refuses unknown and missing names. */
export function checkValues(declared: readonly Param[], values: Readonly<Record<string, Json>>): void {
  for (const param of declared) {
    const value = values[param.name];
    if (value === undefined) continue;
    const wanted = JSON_TYPES[param.type] ?? 'string';
    if (typeof value !== wanted)
      throw invalid(param.name, { en: `must be a ${wanted}`, zh: `须为 ${wanted}` }, JSON.stringify(value));
    readText(param, value);
  }
}
