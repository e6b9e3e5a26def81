// Finds values of variables in text, in every form they are looked for: window by window, in one pass over each view.
import { type Needle, needlesFor, type Secret } from './needle.ts';
import { searchFor } from './search.ts';
import { isOneRun, isSpelled, WIDEST_GAP } from './spelling.ts';
import { plainUnits, spanOfUnits, type Units, unescaped } from './units.ts';
import { type TextViews, VIEWS, viewsOf } from './view.ts';

/** A part of a text that holds the value of a variable. */
export interface FoundSecret {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

export interface SecretFinder {
  readonly needles: readonly Needle[];
  find(text: Uint8Array): FoundSecret[];
}

const WINDOW = 256 * 1024;
/** Of the longest piece with the longest escapes and gaps. */
export const LONGEST_MATCH = 16 * 1024;

export function createFinder(secrets: readonly Secret[]): SecretFinder {
  const needles = secrets.flatMap(needlesFor);
  const searches = VIEWS.map((view) => ({ view, search: searchFor(needles.filter((one) => one.view === view)) }));
  const findIn = (units: Units, from: number, found: FoundSecret[]) => {
    const views = viewsOf(units);
    for (const { view, search } of searches)
      search(views[view].bytes, (needle, at) => {
        const span = spanIn(views, needle, at, units);
        if (span) found.push({ name: needle.name, start: from + span.start, end: from + span.end });
      });
  };
  return {
    needles,
    find(text) {
      const found: FoundSecret[] = [];
      if (needles.length === 0) return found;
      for (let from = 0; from < text.length; from += WINDOW) {
        const window = text.subarray(from, from + WINDOW + LONGEST_MATCH);
        for (const units of readingsOf(window)) findIn(units, from, found);
      }
      return found;
    },
  };
}

/** As it stands, and what it means to a program that undoes its escapes. */
export function readingsOf(text: Uint8Array): Units[] {
  return [plainUnits(text), ...[false, true].flatMap((quoted) => unescaped(text, quoted) ?? [])];
}

function spanIn(views: TextViews, { view, bytes, spelling }: Needle, first: number, units: Units) {
  const at = views[view].places?.();
  const last = first + bytes.length - 1;
  if (!at) return spanOfUnits(first, last, units);
  if (!isOneRun(at, first, bytes.length, spelling?.widest ?? WIDEST_GAP)) return undefined;
  if (spelling && !isSpelled(spelling, views.folded.bytes, { at, first })) return undefined;
  return spanOfUnits(at[first] ?? 0, at[last] ?? 0, units);
}
