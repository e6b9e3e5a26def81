// The difference between two lists of steps: the longest common subsequence stays, the rest was added or removed.

export interface DiffLine {
  readonly side: 'both' | 'before' | 'after';
  readonly step: string;
}

export function diffSteps(before: readonly string[], after: readonly string[]): DiffLine[] {
  const common = commonLengths(before, after);
  const lines: DiffLine[] = [];
  let [at, to] = [0, 0];
  while (at < before.length || to < after.length) {
    const [old, now] = [before[at], after[to]];
    if (old !== undefined && old === now) {
      lines.push({ side: 'both', step: old });
      at++;
      to++;
    } else if (
      old !== undefined &&
      (now === undefined || lengthAt(common, at + 1, to) >= lengthAt(common, at, to + 1))
    ) {
      lines.push({ side: 'before', step: old });
      at++;
    } else if (now !== undefined) {
      lines.push({ side: 'after', step: now });
      to++;
    }
  }
  return lines;
}

/** Lengths of the longest common subsequences of all suffix pairs. */
function commonLengths(before: readonly string[], after: readonly string[]): number[][] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
  for (let at = before.length - 1; at >= 0; at--) {
    for (let to = after.length - 1; to >= 0; to--) {
      const row = lengths[at];
      if (!row) continue;
      const isSame = before[at] === after[to];
      row[to] = isSame
        ? lengthAt(lengths, at + 1, to + 1) + 1
        : Math.max(lengthAt(lengths, at + 1, to), lengthAt(lengths, at, to + 1));
    }
  }
  return lengths;
}

function lengthAt(lengths: readonly (readonly number[])[], at: number, to: number): number {
  return lengths[at]?.[to] ?? 0;
}
