// Names that stand for the environment as a whole, and names that are taken out of it in one go.
import { type CodeString, READ_VARIABLE } from './code-facts.ts';

/** The whole environment, and calls that read a variable of it. */
export const ENVIRONMENT = /(?:^|\.)(?:process\.env|Bun\.env|import\.meta\.env|os\.environ)$/;
export const READS = /(?:^|\.)(?:os\.getenv|getenv|os\.environ\.(?:get|pop)|Deno\.env\.get|environ\.get)$/;

const TAKEN = /\{([\w\s,:=.'"|?]{1,600})\}\s{0,4}=\s{0,4}(?:process|Bun|import\.meta)\.env\b(?!\s*[.[])/g;

/** `const { A, B: b } = process.env`. */
export function takenApart(text: string): CodeString[] {
  return [...text.matchAll(TAKEN)].flatMap(({ 1: inner = '', index }) => {
    const line = text.slice(0, index).split('\n').length;
    const names = inner.split(',').map((part) => /^\s*(\w+)/.exec(part)?.[1] ?? '');
    return names.filter(Boolean).map((name) => ({ text: name, line, call: READ_VARIABLE, at: 0, names: [] }));
  });
}

/** Names that stand for the whole environment. */
export function aliasesIn(text: string): Set<string> {
  const found = text.matchAll(
    /\b(\w{1,40})(?:\s?:[^=,()\n]{1,60})?\s?=\s?(?:process\.env|os\.environ(?:\.copy\(\))?)\b(?!\s*[.[])/g,
  );
  return new Set([...found].map(([, name = '']) => name));
}
