// An outcome on two lines, for models and logs; and the reader of that form and of the older four-line one.
import { type FlatOutcome, iconOf } from '../flat-outcome.ts';
import { isRecord, jsonIfValid } from '../json.ts';
import { AGENTS, type Agent, STATES } from '../outcome.ts';
import { replaceHidden } from '../text.ts';

type LoadYaml = (text: string) => unknown;

/**
 * Line one for people, line two as YAML flow maps; nothing in either can break the line or the terminal.
 * @example
 * console.log(renderCompact(outcome.document));
 */
export function renderCompact(outcome: FlatOutcome): string {
  const { state, agent, summary, meta } = outcome;
  const data = flow(jsonIfValid(JSON.stringify(outcome.data)));
  const time = JSON.stringify(meta.time);
  return [
    `${iconOf(outcome)} ${agent} ${isPlainLine(summary) ? summary : quote(summary)}`,
    `  state: ${state} | data: ${data} | meta: {agent: ${meta.agent}, time: ${time}, ts: ${quote(meta.ts)}}`,
  ].join('\n');
}

/**
 * The first outcome printed in the text, or undefined where there is none.
 * @example
 * const outcome = await parseCompact(printed);
 */
export async function parseCompact(text: string): Promise<FlatOutcome | undefined> {
  const heading = HEADING.exec(text);
  if (!heading) return undefined;
  const { load, CORE_SCHEMA } = await import('js-yaml');
  const loadYaml: LoadYaml = (source) => load(source, { schema: CORE_SCHEMA });
  try {
    const fields = readFields(text.slice(heading.index + heading[0].length), loadYaml);
    return fields && assemble(readSummary(heading[2] ?? '', loadYaml), heading[1] as Agent, fields);
  } catch {
    return undefined;
  }
}

const HEADING = new RegExp(`^(?:✅|⏭|⚠|⏸|⏱|❌)\\ufe0f? (${AGENTS.join('|')})(?: (.*))?$`, 'mu');
const COMPACT_LINE = /^\s*state: *(\w+) *\| *data: *(?=\{)/;
const BARE_KEY = /^[A-Za-z_][\w-]*$/;
const RESERVED_KEY = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

// js-yaml's word for what it refuses unescaped, and the line breaks of YAML 1.1.
const UNPRINTABLE = /[\t\n\r\ufffe\uffff]/g;

function flow(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, part]) => `${flowKey(key)}: ${flow(part)}`)
    .join(', ')}}`;
}

function flowKey(key: string): string {
  return BARE_KEY.test(key) && !RESERVED_KEY.test(key) ? key : quote(key);
}

function quote(text: string): string {
  const escaped = text.toWellFormed().replace(/["\\]/g, '\\$&').replace(UNPRINTABLE, escapeCharacters);
  return `"${replaceHidden(escaped, escapeCharacters)}"`;
}

function escapeCharacters(characters: string): string {
  return Array.from(characters, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
  }).join('');
}

function isPlainLine(summary: string): boolean {
  return summary !== '' && summary === summary.trim() && !summary.startsWith('"') && quote(summary) === `"${summary}"`;
}

function readSummary(line: string, loadYaml: LoadYaml): string {
  const text = line.trim();
  return text.startsWith('"') && text.endsWith('"') ? String(loadYaml(text)) : text;
}

/** The compact line is cut at the end of its data map; the four-line form is a YAML mapping as it stands. */
function readFields(rest: string, loadYaml: LoadYaml): Record<string, unknown> | undefined {
  const source = rest.replace(/^\r?\n/, '');
  const compact = COMPACT_LINE.exec(source);
  if (!compact) return asRecord(loadYaml(fourLines(source)));
  const afterState = source.slice(compact[0].length);
  const end = endOfFlow(afterState);
  const meta = /^ *\| *meta: *(\{.*)/.exec(afterState.slice(end))?.[1];
  return {
    state: compact[1],
    data: loadYaml(afterState.slice(0, end)),
    ...(meta && { meta: loadYaml(meta.slice(0, endOfFlow(meta))) }),
  };
}

/** The indented block below the heading; the next unindented line is somebody else's. */
function fourLines(source: string): string {
  const lines = source.split(/\r?\n/);
  const end = lines.findIndex((line) => /^\S/.test(line));
  return (end === -1 ? lines : lines.slice(0, end)).join('\n');
}

/** Index behind the map that starts the text; a quote opens a string only where a value may begin. */
function endOfFlow(text: string): number {
  let depth = 0;
  let mayQuote = true;
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (mayQuote && (character === '"' || character === "'")) index = endOfQuote(text, index);
    else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth === 0) return index + 1;
    if (character !== ' ') mayQuote = '{[,:'.includes(character);
  }
  return text.length;
}

function endOfQuote(text: string, start: number): number {
  const mark = text.charAt(start);
  let index = start + 1;
  while (index < text.length && text.charAt(index) !== mark)
    index += mark === '"' && text.charAt(index) === '\\' ? 2 : 1;
  return index;
}

function assemble(summary: string, agent: Agent, fields: Record<string, unknown>): FlatOutcome | undefined {
  const state = STATES.find((known) => known === fields.state);
  const data = asRecord(fields.data ?? {});
  if (!state || !data || sharesParts(data)) return undefined;
  const meta = asRecord(fields.meta ?? {});
  const time = typeof meta?.time === 'number' ? meta.time : 0;
  const ts = typeof meta?.ts === 'string' ? meta.ts : '';
  return { state, agent, summary, data, meta: { agent, time, ts } };
}

/** Aliases make a small text unfold into a huge document; no outcome needs them. */
function sharesParts(value: unknown, seen = new Set<unknown>()): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (seen.has(value)) return true;
  seen.add(value);
  return Object.values(value).some((part) => sharesParts(part, seen));
}

function asRecord(value: unknown): Record<string, unknown> | undefined {
  return isRecord(value) ? value : undefined;
}
