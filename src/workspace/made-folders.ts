// Folders that were made in a layer so that a call finds them: noted first, so that a killed call leaves none behind.
import path from 'node:path';
import { removeTree, writeFileAtomic } from '../base/files.ts';
import { isTextList, jsonIfValid } from '../base/json.ts';
import { readTextIfThere } from '../base/read-file.ts';

export interface MadeFolders {
  /** Before they are made. */
  add(paths: readonly string[]): void;
  has(path: string): boolean;
  /** After they were removed, or kept because something is in them. */
  forget(): void;
  /** Of a call that was killed: those it found made, the last first. */
  readonly left: readonly string[];
}

export function openMadeFolders(folder: string): MadeFolders {
  const file = path.join(folder, 'made.json');
  const stored = jsonIfValid(readTextIfThere(file) ?? '[]');
  const left = isTextList(stored) ? stored : [];
  const made = new Set<string>();
  return {
    left,
    add(paths) {
      if (paths.length === 0) return;
      for (const one of paths) made.add(one);
      writeFileAtomic(file, JSON.stringify([...made].sort((a, b) => b.length - a.length)));
    },
    has: (one) => made.has(one),
    forget: () => removeTree(file),
  };
}
