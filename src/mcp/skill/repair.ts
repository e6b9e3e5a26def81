// Frontmatter that every host reads alike: fields in the forms of the Agent Skills format, written in the plainest YAML there is.
import { isRecord, type Json } from '../../base/json.ts';

type Values = Readonly<Record<string, Json>>;

export interface RepairedFields {
  readonly values: Values;
  /** The names of fields that say something else than before, or say it in another form. */
  readonly changed: readonly string[];
}

const DESCRIPTION = 1024;
const COMPATIBILITY = 500;

export function repairFields(values: Values, name: string, description: string): RepairedFields {
  const written = values.description;
  const told = typeof written === 'string' && written.trim() !== '' ? written : description;
  const wanted: Record<string, Json> = { name, description: cut(told === '' ? name : told, DESCRIPTION) };
  const { compatibility, metadata } = values;
  if (isEmpty(compatibility)) wanted.compatibility = null;
  else wanted.compatibility = cut(asText(compatibility), COMPATIBILITY);
  if (metadata !== undefined && metadata !== null) wanted.metadata = textsIn(metadata);
  const rest = Object.entries(values).filter(([key]) => !(key in wanted) && key !== 'metadata');
  const kept = Object.entries(wanted).filter(([, value]) => value !== null);
  const repaired = Object.fromEntries([...kept, ...rest]);
  const names = new Set([...Object.keys(values), ...Object.keys(repaired)]);
  const changed = [...names].filter((key) => JSON.stringify(values[key]) !== JSON.stringify(repaired[key]));
  return { values: repaired, changed };
}

/** JSON is YAML on one line; only keys of plain letters stand bare. */
export function writeFrontmatter(values: Values): string {
  const lines = Object.entries(values).map(([key, value]) => `${keyText(key)}: ${jsonLine(value)}\n`);
  return `---\n${lines.join('')}---\n`;
}

function isEmpty(value: Json | undefined): value is null | undefined | '' {
  return value === undefined || value === null || value === '';
}

function textsIn(metadata: Json): Json {
  if (!isRecord(metadata)) return { value: asText(metadata) };
  return Object.fromEntries(Object.entries(metadata).map(([key, value]) => [key, asText(value)]));
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function cut(text: string, most: number): string {
  const characters = [...text];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text;
}

function keyText(key: string): string {
  return /^[a-z][a-z-]*$/.test(key) && !/^(?:true|false|null|yes|no|on|off|y|n)$/.test(key) ? key : jsonLine(key);
}

/** What YAML takes for the end of a line, or for no character at all, is written as an escape. */
function jsonLine(value: Json): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
