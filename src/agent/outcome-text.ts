// The outcome of a call as text for the model: the sentence, then its data, without fields only people need.
import type { FlatOutcome } from '../base/flat-outcome.ts';
import { isRecord } from '../base/json.ts';

const UNTOLD = new Set(['sandbox', 'msg', 'recoverable', 'agent', 'original_result']);
/** Printed as they are, below their name. */
const BLOCKS = new Set(['stdout', 'stderr', 'content', 'text', 'diff', 'body', 'answer']);

export function outcomeText({ state, summary, data }: Pick<FlatOutcome, 'state' | 'summary' | 'data'>): string {
  const parts = [`${state}: ${summary}`];
  for (const [name, value] of Object.entries(data)) {
    if (UNTOLD.has(name) || isEmpty(value)) continue;
    if (name === 'details' && isRecord(value) && 'layers' in value) continue;
    parts.push(BLOCKS.has(name) && typeof value === 'string' ? `${name}:\n${value}` : `${name}: ${plain(value)}`);
  }
  return parts.join('\n');
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return Array.isArray(value) && value.length === 0;
}
