// Tells a value that is written with something between its letters from other text that has the same letters.
import { lettersIn } from './view.ts';

export interface Spelling {
  /** What stands between one letter and the next. */
  readonly between: readonly string[];
  /** How much of another text may come between two of them. */
  readonly widest: number;
}

/** Lines are wrapped and indented, dumps are spaced; more is another text. */
export const WIDEST_GAP = 16;
const WIDEST_STEP = 8;
const LONGEST_SEPARATOR = 4;
/** So many letters in this order are no accident, whatever stands between them. */
const MANY_LETTERS = 16;

export function spellingOf(folded: Uint8Array): Spelling {
  const at = lettersIn(folded).places();
  const between = gapsIn(folded, at, 0, at.length);
  const longest = Math.max(0, ...between.map(({ length }) => length));
  return { between, widest: Math.max(WIDEST_GAP, (longest + 1) * WIDEST_STEP) };
}

/** Whether the letters stand close enough together. */
export function isOneRun(at: Uint32Array, first: number, count: number, widest: number): boolean {
  for (let index = first + 1; index < first + count; index++)
    if ((at[index] as number) - (at[index - 1] as number) > widest + 1) return false;
  return true;
}

/** Whether nothing but line breaks, quotes or one and the same separator was put in. */
export function isSpelled(
  { between }: Spelling,
  text: Uint8Array,
  { at, first }: { readonly at: Uint32Array; readonly first: number },
): boolean {
  const count = between.length + 1;
  if (count >= MANY_LETTERS) return true;
  const gaps = gapsIn(text, at, first, count).map(withoutBreaks);
  const own = between.map(withoutBreaks);
  const added = gaps.map((gap, index) => beforeOwn(gap, own[index] ?? '')).filter((gap) => gap !== '');
  const separator = repeatedIn(added.toSorted((a, b) => a.length - b.length)[0] ?? '');
  if (separator.length > LONGEST_SEPARATOR) return false;
  const without = (gap: string) => (separator === '' ? gap : gap.replaceAll(separator, ''));
  return gaps.every((gap, index) => without(gap) === without(own[index] ?? ''));
}

/** What was put in between a letter and the sign that follows it in the value. */
function beforeOwn(gap: string, own: string): string {
  return own === '' ? gap : gap.slice(0, Math.max(gap.indexOf(own.charAt(0)), 0));
}

/** Around a blank of the value itself a separator stands twice. */
function repeatedIn(gap: string): string {
  return gap.slice(0, `${gap}${gap}`.indexOf(gap, 1));
}

function gapsIn(text: Uint8Array, at: Uint32Array, first: number, count: number): string[] {
  return Array.from({ length: Math.max(count - 1, 0) }, (_, index) => {
    const [before, after] = [at[first + index] ?? 0, at[first + index + 1] ?? 0];
    return Buffer.from(text.subarray(before + 1, after)).toString('latin1');
  });
}

function withoutBreaks(gap: string): string {
  return gap.replace(/[\s"'`\\]+/g, '');
}
