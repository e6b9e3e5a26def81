// `rubric`: a description by which a person or a model judges the answer.
import type { MatcherKind } from './kind.ts';
import type { Rubric } from './plain-form.ts';

export const rubric: MatcherKind<Rubric, string> = {
  name: 'rubric',
  ofText: false,
  schema: (z) => z.string().min(1),
  plain: (text) => [{ kind: 'rubric', text }],
  describe: ({ text }) => `rubric: ${text}`,
  async match({ text }, { judge }) {
    const verdict = await judge?.(text);
    return verdict ? { ok: verdict.pass, message: verdict.evidence } : { ok: undefined, message: 'nobody judged it' };
  },
};
