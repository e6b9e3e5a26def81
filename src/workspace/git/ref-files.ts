// The files that refs are made of: those of the project, and those of a layer over it.
import { type Dirent, readdirSync } from 'node:fs';
import path from 'node:path';
import { readTextIfThere } from '../../base/read-file.ts';
import type { FileChange } from '../change.ts';
import { statsAt } from '../entry.ts';
import type { RefFiles } from './refs.ts';

const ENTRY_LIMIT = 20_000;
const SIZE_LIMIT = 8 * 1024 * 1024;

export function projectRefFiles(project: string): RefFiles {
  const git = path.join(project, '.git');
  return {
    loose: looseRefs(git),
    read(below) {
      const file = path.join(git, below);
      const stats = statsAt(file);
      return stats?.isFile() && stats.size <= SIZE_LIMIT ? readTextIfThere(file) : undefined;
    },
  };
}

/** What the run did not touch is as in the project. */
export function layerRefFiles(
  own: RefFiles,
  changes: readonly FileChange[],
  content: (path: string) => string,
): RefFiles {
  const below = (change: FileChange) => path.posix.relative('.git', change.path);
  const changed = new Map(changes.map((change) => [below(change), change]));
  const isFile = (name: string) => changed.get(name)?.after?.kind === 'file';
  const kept = own.loose.filter((name) => !changed.has(name));
  const written = [...changed.keys()].filter((name) => name.startsWith('refs/') && isFile(name));
  return {
    loose: [...kept, ...written],
    read(name) {
      const change = changed.get(name);
      if (!change) return own.read(name);
      const isReadable = isFile(name) && (change.after?.size ?? 0) <= SIZE_LIMIT;
      return isReadable ? readTextIfThere(content(change.path)) : undefined;
    },
  };
}

/** Links are not followed. */
function looseRefs(git: string): string[] {
  const found: string[] = [];
  const folders = ['refs'];
  let seen = 0;
  for (const folder of folders) {
    for (const entry of entriesOf(path.join(git, folder))) {
      if (++seen > ENTRY_LIMIT) return found;
      const name = `${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.push(name);
      else if (entry.isFile()) found.push(name);
    }
  }
  return found;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
