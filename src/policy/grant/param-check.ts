// Do these values fit the argument schema a person granted? Anything not named there does not fit.
import type { Param } from '../../skill/skill.ts';

/** Undefined when all values fit. */
export function checkParams(schema: readonly Param[], values: Readonly<Record<string, unknown>>): string | undefined {
  const known = new Map(schema.map((param) => [param.name, param]));
  for (const [name, value] of Object.entries(values)) {
    const param = known.get(name);
    if (!param) return `parameter ${name} was not granted`;
    if (!fits(param, value)) return `parameter ${name} has another value`;
  }
  const missing = schema.find((param) => param.required && !Object.hasOwn(values, param.name));
  return missing && `parameter ${missing.name} is missing`;
}

function fits(param: Param, value: unknown): boolean {
  if (param.enum && !param.enum.some((choice) => choice === value)) return false;
  switch (param.type) {
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'integer':
      return Number.isSafeInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
    default:
      return typeof value === 'string' && (param.allowDash === true || !value.startsWith('-'));
  }
}
