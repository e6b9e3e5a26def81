// The description of a task: a few words for people.

// By ranges, because tables of Unicode properties take longer to build than the rest of a stored answer.
const HAN = /[\u3400-\u9fff\uf900-\ufaff]/g;
/** Whatever begins with neither a space nor a sign. */
const WORD = /[^\s!-/:-@[-`{-~]\S*/g;

/** Three to five words. A Chinese word has one or two characters, so that a length in characters is a range in words. */
export function isShort(description: string): boolean {
  const chinese = description.match(HAN)?.length ?? 0;
  const others = description.replaceAll(HAN, ' ').match(WORD)?.length ?? 0;
  return others + chinese / 2 <= 5 && others + chinese >= 3;
}
