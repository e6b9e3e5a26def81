// A matcher for answers in capital letters: imported by changed source only.
import type { MatcherKind } from '../../../src/evals/matcher/kind.ts';

export const shouts: MatcherKind<{ readonly kind: 'shouts'; readonly least: number }, { least: number }> = {
  name: 'shouts',
  ofText: true,
  schema: (z) => z.strictObject({ least: z.int().positive() }),
  plain: ({ least }) => [{ kind: 'shouts', least }],
  describe: ({ least }) => `shouts at least ${least}`,
  async match({ least }, { text }) {
    const capitals = text.match(/[A-Z]/g)?.length ?? 0;
    return { ok: capitals >= least && !/[a-z]/.test(text), message: `${capitals} capitals` };
  },
};
