// The files of a project that a request can name: whether one exists, and which are in the project folder.
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { isHiddenFile } from '../../base/hidden-files.ts';
import { isInside } from '../../base/paths.ts';

export interface ProjectFiles {
  /** A path as the person wrote it, meant from where they stand. */
  exists(written: string): boolean;
  /** The same, as calls name it: from the project folder. */
  place(written: string): string;
  /** A path from the project folder. */
  has(place: string): boolean;
  /** Names of the files directly in the folder where the person stands. */
  list(): readonly string[];
  /** The output folder, relative to the project folder. */
  readonly output: string;
}

const NAMES = 1_000;

/** `from`: the folder of the project where the person stands. */
export function openProjectFiles(folder: string, output: string, from = folder): ProjectFiles {
  let names: readonly string[] | undefined;
  const isThere = (base: string, written: string) => {
    if (written === '' || written.length > 1_024 || written.includes('\0')) return false;
    const file = path.resolve(base, written);
    return isInside(folder, file) && statSync(file, { throwIfNoEntry: false }) !== undefined;
  };
  return {
    exists: (written) => isThere(from, written),
    place: (written) => placeIn(folder, from, written),
    has: (place) => isThere(folder, place),
    list: () => (names ??= listNames(from)),
    output: path.relative(folder, path.resolve(folder, output)),
  };
}

/** What lies outside of the project stays as it was written: the door refuses it. */
function placeIn(folder: string, from: string, written: string): string {
  if (from === folder || path.isAbsolute(written)) return written;
  const file = path.resolve(from, written);
  return isInside(folder, file) ? path.relative(folder, file) || '.' : written;
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.') && !isHiddenFile(entry.name))
      .map(({ name }) => name)
      .sort()
      .slice(0, NAMES);
  } catch {
    return [];
  }
}
