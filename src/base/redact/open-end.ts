// Whether a text ends in the middle of a value, as it does when the value is told piece by piece.
import { readingsOf, type SecretFinder } from './finder.ts';
import type { Needle } from './needle.ts';
import { spanOfUnits } from './units.ts';
import { viewsOf } from './view.ts';

/** Fewer letters end as many texts do. */
const FEWEST = 3;

/** Where the value begins; undefined where the text ends otherwise. */
export function openEndOf(text: Uint8Array, { needles }: Pick<SecretFinder, 'needles'>): number | undefined {
  const starts = readingsOf(text).flatMap((units) => {
    const views = viewsOf(units);
    return needles.flatMap((needle) => {
      const { bytes, places } = views[needle.view];
      const count = begunAt(bytes, needle);
      const first = bytes.length - count;
      return count === 0 ? [] : [spanOfUnits(places ? (places()[first] ?? 0) : first, bytes.length, units).start];
    });
  });
  return starts.length === 0 ? undefined : Math.min(...starts);
}

/** How many bytes at the end are the begin of the needle. */
function begunAt(text: Uint8Array, { bytes, spelling, view }: Needle): number {
  const fewest = spelling || view === 'folded' ? FEWEST : FEWEST + 1;
  for (let count = Math.min(bytes.length - 1, text.length); count >= fewest; count--)
    if (Buffer.compare(text.subarray(text.length - count), bytes.subarray(0, count)) === 0) return count;
  return 0;
}
