// Which runs a project had and their sealed heads, kept under home, where no project reaches: neither a record that
// vanished nor an end that was taken back goes unnoticed.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, removeTree } from '../base/files.ts';
import { sha256 } from '../base/ids.ts';
import { realPath } from '../base/paths.ts';
import { namesIfThere } from '../base/read-file.ts';

export interface RunRegister {
  /** Where the head of a new run is to be kept. One file each, so that two commands do not get into each other's way. */
  enlist(id: string): string;
  /** Where the head of a run is kept, also of a project that was moved since. */
  headOf(id: string): string;
  /** Only as a run of this very folder: a copy of a project must not take the heads of the other away. */
  strike(id: string): void;
  list(): string[];
}

export function openRegister(home: string, project: string): RunRegister {
  const register = path.join(home, '.agent', 'run-register');
  const own = path.join(register, sha256(realPath(project) ?? project));
  const headOf = (id: string): string => {
    const file = path.join(own, id);
    if (existsSync(file)) return file;
    const elsewhere = namesIfThere(register).map((folder) => path.join(register, folder, id));
    return elsewhere.find((other) => existsSync(other)) ?? file;
  };
  return {
    enlist(id) {
      makeFolder(own);
      return path.join(own, id);
    },
    headOf,
    strike: (id) => removeTree(path.join(own, id)),
    list: () => namesIfThere(own),
  };
}
