// Forms of values that several matchers are written in, and cases beside them.
import type { Text } from '../../base/language.ts';
import type { Zod } from '../../tools/tool.ts';

/** One word, or a list of them. */
export function oneOrMore(z: Zod) {
  const word = z.string().min(1);
  return z.union([word.transform((only) => [only]), z.array(word).min(1)]);
}

export const INSIDE_PROJECT: Text = { en: 'a path inside the project is expected', zh: '应为项目内的路径' };

export function relativePath(z: Zod) {
  return z
    .string()
    .min(1)
    .refine((name) => !name.startsWith('/') && !name.split(/[/\\]/).includes('..'), INSIDE_PROJECT.en);
}
