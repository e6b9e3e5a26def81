// From what a model wrote to a decision: the whole text, else its one outermost object; never an inner one.
import { type Json, parseJson } from '../base/json.ts';
import { Decision } from './action.ts';
import { fullForm } from './decision-form.ts';

export type ParsedDecision =
  | { readonly ok: true; readonly decision: Decision }
  | { readonly ok: false; readonly problem: string };

const LONGEST = 1024 * 1024;

export function parseDecision(text: string): ParsedDecision {
  if (text.length > LONGEST) return problem(`the answer is longer than ${LONGEST} characters`);
  const found = findObject(text);
  if (!found.ok) return found;
  const checked = Decision.safeParse(fullForm(found.value));
  if (checked.success) return { ok: true, decision: checked.data };
  return problem(
    checked.error.issues.map(({ path, message }) => `${path.join('.') || 'decision'}: ${message}`).join('; '),
  );
}

function findObject(text: string): { ok: true; value: Json } | { ok: false; problem: string } {
  const whole = tryParse(text);
  if (whole !== undefined) return { ok: true, value: whole };
  const outermost = outermostObjects(text);
  if (outermost === 'unfinished') return problem('the JSON object is not closed');
  const values = outermost.map(tryParse).filter((value) => value !== undefined);
  if (values.length > 1) return problem('there are several JSON objects; exactly one is expected');
  const [value] = values;
  return value === undefined ? problem('there is no JSON object in the answer') : { ok: true, value };
}

/** Balanced objects at the top level; an object that never closes makes everything inside it unusable. */
function outermostObjects(text: string): string[] | 'unfinished' {
  const objects: string[] = [];
  let depth = 0;
  let start = 0;
  const token = /"(?:[^"\\\n]|\\.)*"|[{}]/g;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    if (match[0] === '{') {
      if (depth++ === 0) start = match.index;
    } else if (match[0] === '}' && depth > 0 && --depth === 0) {
      objects.push(text.slice(start, match.index + 1));
    }
  }
  return depth > 0 ? 'unfinished' : objects;
}

function tryParse(text: string): Json | undefined {
  try {
    const value = parseJson(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function problem(text: string): { ok: false; problem: string } {
  return { ok: false, problem: text };
}
