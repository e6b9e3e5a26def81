// Breaks a line so that no part is wider than a screen, at spaces where there are some; what follows is indented alike.
import { displayWidth } from '../text.ts';

const NARROWEST = 20;

/** Nothing but spaces at a break is lost: words that are wider than a line are broken. */
export function wrapHard(line: string, width: number): string[] {
  const limit = Math.max(width, NARROWEST);
  const indent = ' '.repeat(Math.min(/^ */.exec(line)?.[0].length ?? 0, NARROWEST / 2));
  const parts: string[] = [];
  let rest = line;
  while (displayWidth(rest) > limit) {
    const fits = unitsWithin(rest, limit);
    const space = rest.lastIndexOf(' ', fits);
    const at = space > indent.length + limit / 2 ? space : fits;
    parts.push(rest.slice(0, at).trimEnd());
    rest = indent + rest.slice(at === space ? at + 1 : at);
  }
  return [...parts, rest];
}

/** How much of the text takes at most so many columns; more than any indent. */
function unitsWithin(text: string, columns: number): number {
  let [used, at] = [0, 0];
  for (const character of text) {
    used += displayWidth(character);
    if (used > columns) break;
    at += character.length;
  }
  return at;
}
