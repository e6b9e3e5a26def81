// A unified diff of two short texts, for showing a change before it is made.

const CONTEXT = 3;

type Line = { sign: ' ' | '-' | '+'; text: string };

export function unifiedDiff(before: string, after: string, name: string): string {
  const lines = compare(linesOf(before), linesOf(after));
  const hunks = cutHunks(lines);
  return hunks.length === 0 ? '' : [`--- ${name}`, `+++ ${name}`, ...hunks].join('\n');
}

// The last line break ends a line and begins none; where it is missing, that belongs to the last line.
function linesOf(text: string): string[] {
  const lines = text.split('\n');
  const last = lines.pop();
  return last ? [...lines, `${last}\n\\ No newline at end of file`] : lines;
}

// Common ends are set aside first; what is left is compared by the longest common subsequence.
function compare(before: readonly string[], after: readonly string[]): Line[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  const rest = Math.min(before.length, after.length) - head;
  while (tail < rest && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const same = (text: string): Line => ({ sign: ' ', text });
  return [
    ...before.slice(0, head).map(same),
    ...compareMiddle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map(same),
  ];
}

function compareMiddle(before: readonly string[], after: readonly string[]): Line[] {
  const removed = (text: string): Line => ({ sign: '-', text });
  const added = (text: string): Line => ({ sign: '+', text });
  if (before.length * after.length > 4_000_000) return [...before.map(removed), ...after.map(added)];
  const lengths = commonLengths(before, after);
  const lines: Line[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length && j < after.length) {
    const old = before[i] ?? '';
    const fresh = after[j] ?? '';
    if (old === fresh) {
      lines.push({ sign: ' ', text: old });
      i++;
      j++;
    } else if ((lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0)) {
      lines.push(removed(old));
      i++;
    } else {
      lines.push(added(fresh));
      j++;
    }
  }
  return [...lines, ...before.slice(i).map(removed), ...after.slice(j).map(added)];
}

function commonLengths(before: readonly string[], after: readonly string[]): Uint32Array[] {
  const table = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const row = table[i];
      const below = table[i + 1];
      if (row && below)
        row[j] = before[i] === after[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return table;
}

function cutHunks(lines: readonly Line[]): string[] {
  const changed = lines.flatMap((line, index) => (line.sign === ' ' ? [] : [index]));
  const hunks: string[] = [];
  for (let at = 0; at < changed.length; ) {
    const start = Math.max(0, (changed[at] ?? 0) - CONTEXT);
    let end = (changed[at] ?? 0) + CONTEXT + 1;
    for (at++; at < changed.length && (changed[at] ?? 0) <= end + CONTEXT; at++) end = (changed[at] ?? 0) + CONTEXT + 1;
    hunks.push(renderHunk(lines, start, Math.min(end, lines.length)));
  }
  return hunks;
}

function renderHunk(lines: readonly Line[], start: number, end: number): string {
  const count = (part: readonly Line[], sign: '-' | '+') =>
    part.filter((line) => line.sign !== (sign === '-' ? '+' : '-')).length;
  const ahead = lines.slice(0, start);
  const hunk = lines.slice(start, end);
  // Where nothing is, the line before it is named.
  const range = (sign: '-' | '+') => {
    const size = count(hunk, sign);
    return `${sign}${count(ahead, sign) + (size === 0 ? 0 : 1)},${size}`;
  };
  const head = `@@ ${range('-')} ${range('+')} @@`;
  return [head, ...hunk.map(({ sign, text }) => sign + text)].join('\n');
}
