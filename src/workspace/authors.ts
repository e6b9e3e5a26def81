// Whose code left each change of a layer as it is now: the digest of the code that ran; empty for everybody else.
import path from 'node:path';
import { writeFileAtomic } from '../base/files.ts';
import { canonicalJson, jsonIfValid } from '../base/json.ts';
import { readTextIfThere } from '../base/read-file.ts';
import { isMapOf, isObject, isText } from '../base/value/shape.ts';
import type { FileChange } from './change.ts';

export interface Authors {
  /** What is not as it was at the last call was left by this one. */
  note(changes: readonly FileChange[], by: string): void;
  /** Files and links among these that other code, a tool or a command left. */
  others(changes: readonly FileChange[], by: string): FileChange[];
  /** Those among these that this code left, and nobody changed since. */
  of(changes: () => readonly FileChange[], by: string): FileChange[];
}

interface Left {
  readonly state: string;
  readonly by: string;
}

/** Kept with the layer: a run may go on in another process. */
export function openAuthors(folder: string): Authors {
  const file = path.join(folder, 'authors.json');
  const stored = jsonIfValid(readTextIfThere(file) ?? '{}');
  const left: Record<string, Left> = isKept(stored) ? stored : {};
  const leftOf = (below: string) => (Object.hasOwn(left, below) ? left[below] : undefined);
  const isLeftBy = (change: FileChange, by: string) => {
    const known = leftOf(change.path);
    return known?.by === by && known.state === stateOf(change);
  };
  return {
    note(changes, by) {
      const fresh = changes.filter((change) => leftOf(change.path)?.state !== stateOf(change));
      for (const change of fresh) left[change.path] = { state: stateOf(change), by };
      if (fresh.length > 0) writeFileAtomic(file, JSON.stringify(left));
    },
    others: (changes, by) =>
      changes.filter((change) => !isLeftBy(change, by) && change.after !== undefined && change.after.kind !== 'folder'),
    // Most runs have left nothing yet, and need no comparison for it.
    of: (changes, by) =>
      Object.values(left).some((one) => one.by === by) ? changes().filter((change) => isLeftBy(change, by)) : [],
  };
}

function stateOf({ after }: FileChange): string {
  return after ? canonicalJson([after.kind, after.mode, after.digest ?? after.target ?? null]) : '';
}

const isKept = isMapOf(isObject<Left>({ state: isText, by: isText }));
