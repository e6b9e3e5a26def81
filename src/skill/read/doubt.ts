// What a mended frontmatter may be believed: a field that guards something is never read to the skill's advantage.
import { NARROWING, restrict, WIDENING } from '../field.ts';
import { type Findings, reportRestricted } from '../finding.ts';
import type { Block } from './fence.ts';
import type { Values } from './simple-yaml.ts';

interface Doubtful {
  readonly values: Values;
  /** Fields that were read from lines of their own. */
  readonly clean: ReadonlySet<string>;
  /** The structure is as the author wrote it. */
  readonly certain: boolean;
  readonly changes: readonly { readonly how: string; readonly entry: { readonly key: string } }[];
}

/** `block` is what was written, before anything was cut or mended. */
export function restrictDoubtful(
  block: Block,
  { values, clean, certain, changes }: Doubtful,
  findings: Findings,
): void {
  const reported = new Set(changes.filter(({ how }) => how === 'restricted').map(({ entry }) => entry.key));
  const doubtful = [...NARROWING.keys()].filter((key) => countMentions(block.text, key) > (clean.has(key) ? 1 : 0));
  if (!certain) doubtful.push(...WIDENING.filter((key) => key in values && values[key] !== false));
  for (const key of doubtful) {
    restrict(values, key);
    if (!reported.has(key)) reportRestricted(findings, key, { column: 1 });
  }
}

function countMentions(text: string, key: string): number {
  const mention = NARROWING.get(key);
  return mention === undefined ? 0 : (text.match(mention)?.length ?? 0);
}
