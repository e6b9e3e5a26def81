// `custom`: a function provided by a caller of the library; a suite can only name it.
import type { MatcherKind } from './kind.ts';
import type { Custom } from './plain-form.ts';

export const custom: MatcherKind<Custom, string> = {
  name: 'custom',
  ofText: false,
  schema: (z) => z.string().min(1),
  plain: (name) => [{ kind: 'custom', name }],
  describe: ({ name }) => `custom ${name}`,
  async match({ name }, { custom: call }) {
    const ok = await call?.(name);
    return { ok, message: ok === undefined ? `there is no function ${name}` : name };
  },
};
