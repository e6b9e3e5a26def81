// What a call answered, below the summary line: the same text whichever command it came back to.
import type { Outcome } from '../../base/outcome.ts';
import { showText } from './outcome-reply.ts';

/** Undefined where the outcome holds no text for people. */
export function outcomeBody(outcome: Outcome): string | undefined {
  const isDone = outcome.state === 'interrupted' && outcome.waitsFor === 'changes';
  if (outcome.state !== 'success' && !isDone) return undefined;
  const { product = {} } = outcome;
  const { reply, content, printed } = product;
  if (reply) return showText(responseText(reply.data));
  if (content !== undefined) return showText(withoutFrontmatter(content));
  return printed === undefined ? undefined : showText(printed);
}

// Longer than this, a text of many lines is shown by its beginning; --json has all of it.
const LONG = 400;

function responseText(data: unknown): string {
  if (typeof data === 'string') return data;
  const shorten = (_key: string, value: unknown) =>
    typeof value === 'string' && value.length > LONG && value.includes('\n')
      ? `${value.slice(0, LONG).toWellFormed()}… (--json: ${value.length})`
      : value;
  return JSON.stringify(data, shorten, 2) ?? '';
}

/** The fields were read already; a person wants the instructions. */
function withoutFrontmatter(content: string): string {
  return content.replace(/^\uFEFF?---\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n)+/, '');
}
