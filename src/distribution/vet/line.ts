// PrefixPlaces of a text as lines: which line a place is in, where it starts and ends, what it says.
export interface Lines {
  readonly text: string;
  /** The first is 0. */
  at(index: number): number;
  start(line: number): number;
  end(line: number): number;
}

/** Read when first asked: most texts have nothing to be found in. */
export function linesOf(text: string): Lines {
  let known: Uint32Array | undefined;
  const starts = () => (known ??= startsOf(text));
  return {
    text,
    at: (index) => lastUpTo(starts(), index),
    start: (line) => starts()[line] ?? text.length,
    end: (line) => (starts()[line + 1] ?? text.length + 1) - 1,
  };
}

function startsOf(text: string): Uint32Array {
  let starts = new Uint32Array(1 + (text.length >> 5));
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    if (count === starts.length) starts = grown(starts);
    starts[count++] = at + 1;
  }
  return starts.subarray(0, count);
}

function grown(values: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const more = new Uint32Array(values.length * 2 + 16);
  more.set(values);
  return more;
}

/** The place of the last value that is not greater, in rising values; -1 where all are. */
export function lastUpTo(values: ArrayLike<number>, wanted: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? 0) <= wanted) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
