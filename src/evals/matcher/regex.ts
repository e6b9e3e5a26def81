// `regex`: a pattern that is found in the answer, in linear time.
import { compilePattern, isTooMuchWork } from '../../tools/pattern.ts';
import type { MatcherKind } from './kind.ts';
import type { Regex } from './plain-form.ts';

export const regex: MatcherKind<Regex, string> = {
  name: 'regex',
  ofText: true,
  schema: (z) => z.string().min(1),
  plain: (pattern) => [{ kind: 'regex', pattern }],
  describe: ({ pattern }) => `regex ${pattern}`,
  match: async ({ pattern }, { text }) => ({ ok: await finds(pattern, text), message: `does not match ${pattern}` }),
};

async function finds(pattern: string, text: string): Promise<boolean> {
  const compiled = await compilePattern(pattern);
  return !isTooMuchWork(compiled, text) && compiled.matcher(text).find();
}
