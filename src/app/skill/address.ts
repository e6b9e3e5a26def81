// Which skill the words of a person address, and what is left for it: `@name input`, in one word or in several.
import { splitWords } from '../../base/text/split-words.ts';
import { behindAddress } from '../../registry/address.ts';
import type { Index } from '../../registry/discover.ts';
import { resolveSkill } from '../../registry/resolve.ts';

export interface Addressed {
  readonly skill: string;
  readonly words: readonly string[];
}

/** A name is one word, unless a skill has a longer one; what stands behind it is for the skill. */
export function readAddressed(written: readonly string[], index: () => Index): Addressed {
  const [first = '', ...rest] = written;
  const behind = behindAddress(first);
  if (behind === '' && rest.length > 0) return readAddressed([`@${rest[0]}`, ...rest.slice(1)], index);
  if (behind === undefined || (first.startsWith('@') && !/\s/.test(behind))) return { skill: first, words: rest };
  const words = splitWords(behind) ?? behind.split(/\s+/);
  const known = index();
  const isSkill = (count: number) => !('missing' in resolveSkill(known, words.slice(0, count).join(' ')));
  const longest = words.map((_, at) => words.length - at).find(isSkill) ?? 1;
  return { skill: words.slice(0, longest).join(' '), words: [...words.slice(longest), ...rest] };
}
