// Finds many short byte strings in a long one in a single pass: Wu and Manber's shifts over blocks of three bytes.

export interface Sought {
  readonly bytes: Uint8Array;
}

export type Search<Needle> = (text: Uint8Array, found: (needle: Needle, at: number) => void) => void;

const BLOCK = 3;
const LONGEST_SHIFT = 250;
const TABLE = 1 << 16;

/** Every needle has at least three bytes. */
export function searchFor<Needle extends Sought>(needles: readonly Needle[]): Search<Needle> {
  if (needles.length === 0) return () => {};
  const window = Math.min(LONGEST_SHIFT, ...needles.map(({ bytes }) => bytes.length));
  const shifts = new Uint8Array(TABLE).fill(window - BLOCK + 1);
  const ending: (Needle[] | undefined)[] = new Array(TABLE);
  for (const needle of needles) {
    for (let end = BLOCK - 1; end < window; end++) {
      const block = blockAt(needle.bytes, end);
      shifts[block] = Math.min(shifts[block] as number, window - 1 - end);
    }
    const last = blockAt(needle.bytes, window - 1);
    ending[last] = [...(ending[last] ?? []), needle];
  }
  return (text, found) => {
    for (let end = window - 1; end < text.length; ) {
      const block = blockAt(text, end);
      const shift = shifts[block] as number;
      if (shift === 0)
        for (const needle of ending[block] ?? [])
          if (isAt(text, needle.bytes, end - window + 1)) found(needle, end - window + 1);
      end += shift || 1;
    }
  };
}

function blockAt(bytes: Uint8Array, end: number): number {
  return (
    (((bytes[end - 2] as number) << 10) ^ ((bytes[end - 1] as number) << 5) ^ (bytes[end] as number)) & (TABLE - 1)
  );
}

function isAt(text: Uint8Array, needle: Uint8Array, at: number): boolean {
  if (at + needle.length > text.length) return false;
  for (let index = 0; index < needle.length; index++) if (text[at + index] !== needle[index]) return false;
  return true;
}
