// The files of a project that a request can name: whether one exists, and which are in the project folder.
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { isHiddenFile } from '../../base/hidden-files.ts';
import { isInside } from '../../base/paths.ts';

export interface ProjectFiles {
  /** A path as it was written, relative to the project folder. */
  exists(written: string): boolean;
  /** Names of the files directly in the project folder. */
  list(): readonly string[];
  /** The output folder, relative to the project folder. */
  readonly output: string;
}

const NAMES = 1_000;

export function openProjectFiles(folder: string, output: string): ProjectFiles {
  let names: readonly string[] | undefined;
  return {
    exists(written) {
      if (written === '' || written.length > 1_024 || written.includes('\0')) return false;
      const file = path.resolve(folder, written);
      return isInside(folder, file) && statSync(file, { throwIfNoEntry: false }) !== undefined;
    },
    list: () => (names ??= listNames(folder)),
    output: path.relative(folder, path.resolve(folder, output)),
  };
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
