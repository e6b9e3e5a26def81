// `allowed-tools` in all its spellings: a list, or words with commas or spaces between them.
import type { ToolRule } from '../skill.ts';

/** The tools in the order they were named; undefined where the value cannot be read as a list of tools. */
export function parseToolList(value: unknown): ToolRule[] | undefined {
  if (typeof value === 'string') return parseItems(splitOutside(value, ', \t\r\n'));
  if (!Array.isArray(value)) return undefined;
  const items: string[] = [];
  for (const item of value) {
    const parts = typeof item === 'string' ? splitOutside(item, ',') : undefined;
    if (parts === undefined) return undefined;
    items.push(...parts);
  }
  return parseItems(items);
}

/** Splits where no parenthesis is open; undefined where they do not match. */
function splitOutside(text: string, separators: string): string[] | undefined {
  const items: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    const character = text[at];
    if (character === '(') depth++;
    else if (character === ')' && --depth < 0) return undefined;
    else if (character === undefined || (depth === 0 && separators.includes(character))) {
      const item = text.slice(start, at).trim();
      if (item !== '') items.push(item);
      start = at + 1;
    }
  }
  return depth === 0 ? items : undefined;
}

function parseItems(items: readonly string[] | undefined): ToolRule[] | undefined {
  if (items === undefined) return undefined;
  const rules: ToolRule[] = [];
  for (const item of items) {
    const rule = parseRule(item);
    if (rule === undefined) return undefined;
    rules.push(rule);
  }
  return rules;
}

function parseRule(item: string): ToolRule | undefined {
  const open = item.indexOf('(');
  const tool = (open === -1 ? item : item.slice(0, open)).trim();
  // Quotes and brackets are left over from a list that was written as text.
  if (tool === '' || /["'`[\]{}<>]|\p{Cc}/u.test(tool)) return undefined;
  if (open === -1) return { tool };
  if (!item.endsWith(')') || closesEarly(item, open)) return undefined;
  return { tool, pattern: item.slice(open + 1, -1).trim() };
}

function closesEarly(item: string, open: number): boolean {
  let depth = 0;
  for (let at = open; at < item.length - 1; at++) {
    if (item[at] === '(') depth++;
    else if (item[at] === ')' && --depth === 0) return true;
  }
  return false;
}
