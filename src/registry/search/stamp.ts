// Tells without opening a file whether the indexed content of a skill may have changed.
import { lstatSync, type Stats } from 'node:fs';
import { CLOCK_STEP_MS } from '../fingerprint.ts';
import { exampleFiles } from './example.ts';
import type { SearchPlace } from './text.ts';

/** Empty when it proves nothing: too recent, or missing. */
export function stampOf(skill: SearchPlace, now: number): string {
  const files = [skill.file, ...exampleFiles(skill.realFolder ?? skill.folder)];
  const there = files.map(tryStat).filter((stats) => stats !== undefined);
  const isSettled = there.every((stats) => stats.ctimeMs < now - CLOCK_STEP_MS);
  const isPlain = there.length === files.length && there.every((stats) => stats.isFile());
  return isSettled && isPlain ? there.map(describe).join(' ') : '';
}

// An editor of a file cannot set back its change time (ctime), unlike its modification time.
function describe({ size, mtimeMs, ctimeMs, ino }: Stats): string {
  return `${size}/${mtimeMs}/${ctimeMs}/${ino}`;
}

function tryStat(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
