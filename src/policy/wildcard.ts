// Wildcards in linear time, over characters of a word and over segments of a path.

/** `*` stands for any run of characters, `?` for one; everything else for itself. */
export function matchesWord(pattern: string, word: string): boolean {
  return matchesSequence([...pattern], [...word], '*', (part, character) => part === '?' || part === character);
}

/** `**` stands for any number of folders; `*` and `?` stay inside one name. */
export function matchesPath(pattern: string, relative: string): boolean {
  const parts = pattern.replace(/\/$/, '/**').split('/').filter(isNamed);
  return matchesSequence(parts, relative.split('/').filter(isNamed), '**', matchesWord);
}

function isNamed(segment: string): boolean {
  return segment !== '' && segment !== '.';
}

/** Going back only to the latest star is enough, and keeps hostile patterns cheap. */
export function matchesSequence(
  pattern: readonly string[],
  items: readonly string[],
  star: string,
  matches: (part: string, item: string) => boolean,
): boolean {
  let at = 0;
  let lastStar = -1;
  let resume = 0;
  for (let index = 0; index < items.length; ) {
    const part = pattern[at];
    if (part === star) {
      lastStar = at++;
      resume = index;
    } else if (part !== undefined && matches(part, items[index] ?? '')) {
      at++;
      index++;
    } else if (lastStar >= 0) {
      at = lastStar + 1;
      index = ++resume;
    } else return false;
  }
  return pattern.slice(at).every((part) => part === star);
}
