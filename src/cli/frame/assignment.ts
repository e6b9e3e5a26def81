// `key=value` words of a command line, and whatever else stands between them.

export interface Assignments {
  readonly values: ReadonlyMap<string, string>;
  readonly others: readonly string[];
}

// `1=…` gives a word its place.
const ASSIGNMENT = /^([1-9]|[\p{L}_][\p{L}\p{N}_-]{0,63})=(.*)$/su;

export function readAssignments(words: readonly string[]): Assignments {
  const values = new Map<string, string>();
  const others: string[] = [];
  for (const word of words) {
    const [, key, value = ''] = ASSIGNMENT.exec(word) ?? [];
    if (key === undefined) others.push(word);
    else values.set(key, value);
  }
  return { values, others };
}
