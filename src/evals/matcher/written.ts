// Forms of values that several matchers are written in, and cases beside them.
import type { Zod } from '../../tools/tool.ts';

/** One word, or a list of them. */
export function oneOrMore(z: Zod) {
  const word = z.string().min(1);
  return z.union([word.transform((only) => [only]), z.array(word).min(1)]);
}

export function relativePath(z: Zod) {
  return z
    .string()
    .min(1)
    .refine(
      (name) => !name.startsWith('/') && !name.split(/[/\\]/).includes('..'),
      'a path inside the project is expected',
    );
}
