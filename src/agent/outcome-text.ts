// The outcome of a call as text for the model: the sentence, how a process ended, then the data, without fields only people need.
import type { FlatOutcome } from '../base/flat-outcome.ts';
import { isRecord } from '../base/json.ts';

const UNTOLD = new Set(['sandbox', 'msg', 'recoverable', 'agent', 'original_result']);
/** Printed as they are, below their name. */
const BLOCKS = new Set(['stdout', 'stderr', 'content', 'text', 'diff', 'body', 'answer']);
const EXIT = 'exit';

export function outcomeText({ state, summary, data }: Pick<FlatOutcome, 'state' | 'summary' | 'data'>): string {
  const fields = new Map(Object.entries(data));
  const exit = fields.get(EXIT);
  // Of a process the rest of the sentence stands below, in what it printed.
  const parts = isEmpty(exit)
    ? [`${state}: ${summary}`]
    : [`${state}: ${firstLine(summary)}`, `${EXIT}: ${plain(exit)}`];
  for (const [name, value] of fields) {
    const told = name === 'details' ? detailsBeside(value, fields) : value;
    if (name === EXIT || UNTOLD.has(name) || isEmpty(told)) continue;
    parts.push(BLOCKS.has(name) && typeof told === 'string' ? `${name}:\n${told}` : `${name}: ${plain(told)}`);
  }
  return parts.join('\n');
}

/** What stands beside them already is not said twice; which rule decided is for people. */
function detailsBeside(details: unknown, fields: ReadonlyMap<string, unknown>): unknown {
  if (!isRecord(details)) return details;
  if ('layers' in details) return undefined;
  const left = Object.entries(details).filter(([name, value]) => !fields.has(name) && !isEmpty(value));
  return left.length > 0 ? Object.fromEntries(left) : undefined;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return Array.isArray(value) && value.length === 0;
}
