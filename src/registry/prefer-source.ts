// The same skills with those of one source first, so that a name means theirs.
import type { Source } from '../skill/skill.ts';
import type { Index } from './discover.ts';

export function preferSource(index: Index, source: Source | undefined): Index {
  if (source === undefined) return index;
  const first = <Item extends { readonly source: Source }>(all: readonly Item[]): Item[] => [
    ...all.filter((one) => one.source === source),
    ...all.filter((one) => one.source !== source),
  ];
  const { skills, invalid, roots, diagnostics } = index;
  return { skills: first(skills), invalid: first(invalid), roots: first(roots), diagnostics };
}
