// Which variables the calls of a run were given, and which bytes it wrote hold a value: names only, kept with the layer.
import path from 'node:path';
import { writeFileAtomic } from '../base/files.ts';
import { jsonIfValid } from '../base/json.ts';
import { readTextIfThere } from '../base/read-file.ts';
import { isListOf, isMapOf, isObject, isText } from '../base/value/shape.ts';
import type { FileChange } from './change.ts';

export interface LayerVariables {
  /** Of all calls so far, in this process or before. */
  names(): readonly string[];
  give(names: readonly string[]): void;
  /** Whether these bytes are still to be looked through. */
  isOpen(change: FileChange): boolean;
  /** What was found in them: nothing, too, so that they are not looked through again. */
  note(found: readonly LookedThrough[]): void;
  /** The names of those whose value is in it, whatever its path is now. */
  heldIn(change: FileChange): readonly string[];
}

export interface LookedThrough {
  readonly change: FileChange;
  readonly names: readonly string[];
}

interface Kept {
  readonly names: readonly string[];
  /** By digest. */
  readonly files: Readonly<Record<string, readonly string[]>>;
}

export function openVariables(folder: string): LayerVariables {
  const file = path.join(folder, 'variables.json');
  const stored = jsonIfValid(readTextIfThere(file) ?? 'null');
  let kept: Kept = isKept(stored) ? stored : { names: [], files: {} };
  const keep = (next: Kept) => {
    kept = next;
    writeFileAtomic(file, JSON.stringify(kept));
  };
  return {
    names: () => kept.names,
    give(names) {
      const all = [...new Set([...kept.names, ...names])];
      // What was clean of the ones before may hold a new one.
      if (all.length > kept.names.length) keep({ names: all, files: onlyHolding(kept.files) });
    },
    isOpen: ({ after }) => after?.digest !== undefined && kept.files[after.digest] === undefined,
    note(found) {
      if (found.length === 0) return;
      const noted = found.map(({ change, names }) => [change.after?.digest ?? '', names] as const);
      keep({ ...kept, files: { ...kept.files, ...Object.fromEntries(noted) } });
    },
    heldIn: ({ after }) => kept.files[after?.digest ?? ''] ?? [],
  };
}

const isKept = isObject<Kept>({ names: isListOf(isText), files: isMapOf(isListOf(isText)) });

function onlyHolding(files: Kept['files']): Kept['files'] {
  return Object.fromEntries(Object.entries(files).filter(([, names]) => names.length > 0));
}
