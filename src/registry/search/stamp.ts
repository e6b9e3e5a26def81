// Tells without opening a file whether the indexed content of a skill may have changed.
import { lstatSync, type Stats } from 'node:fs';
import { isSettled } from '../witness.ts';
import { exampleFiles } from './example.ts';
import type { SearchPlace } from './text.ts';

/** Empty when it proves nothing: too recent, or missing. */
export function stampOf(skill: SearchPlace, now: number): string {
  const files = [skill.file, ...exampleFiles(skill.realFolder ?? skill.folder)];
  const there = files.map(tryStat).filter((stats) => stats !== undefined);
  const areSettled = there.every((stats) => isSettled(stats, now));
  const isPlain = there.length === files.length && there.every((stats) => stats.isFile());
  return areSettled && isPlain ? there.map(describe).join(' ') : '';
}

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
