// `contains_all` and `contains_any`: words in the answer; `keywords` is an alias of the first.
import type { MatcherKind } from './kind.ts';
import type { Contains } from './plain-form.ts';
import { oneOrMore } from './written.ts';

export const containsAll: MatcherKind<Contains, string[]> = {
  name: 'contains_all',
  ofText: true,
  schema: oneOrMore,
  plain: (words, { ignore_case }) => [{ kind: 'contains_all', words, ignoreCase: ignore_case === true }],
  describe: ({ words }) => `contains_all ${quoted(words)}`,
  async match({ words, ignoreCase }, { text }) {
    const missing = words.filter((word) => !contains(text, word, ignoreCase));
    return { ok: missing.length === 0, message: `does not contain ${quoted(missing)}` };
  },
};

export const containsAny: MatcherKind<Contains, string[]> = {
  name: 'contains_any',
  ofText: true,
  schema: oneOrMore,
  beside: (z) => ({ ignore_case: z.boolean() }),
  plain: (words, { ignore_case }) => [{ kind: 'contains_any', words, ignoreCase: ignore_case === true }],
  describe: ({ words }) => `contains_any ${quoted(words)}`,
  async match({ words, ignoreCase }, { text }) {
    const ok = words.some((word) => contains(text, word, ignoreCase));
    return { ok, message: `contains none of ${quoted(words)}` };
  },
};

/** The names of key points in other formats. */
export const keywords: MatcherKind<Contains, string[]> = { ...containsAll, name: 'keywords', ofText: false };

function contains(text: string, word: string, ignoreCase: boolean): boolean {
  return ignoreCase ? text.toLowerCase().includes(word.toLowerCase()) : text.includes(word);
}

function quoted(words: readonly string[]): string {
  return words.map((word) => JSON.stringify(word)).join(', ');
}
