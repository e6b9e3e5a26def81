// Which runs a project had and how they ended, kept under home, where no project reaches: a record that vanished is missed.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, openForAppend, removeTree, writeNewFile } from '../base/files.ts';
import { sha256 } from '../base/ids.ts';
import { realPath } from '../base/paths.ts';
import { isNotFound, readTextIfThere } from '../base/read-file.ts';

export interface RunRegister {
  /** One file each, so that two commands at once do not get into each other's way. */
  enlist(id: string): void;
  /** Keeps the sealed head the run ended with: an older one does not pass for it later. */
  end(id: string, head: string): void;
  /** The head it ended with; empty while it has not ended, undefined for a run nobody enlisted. */
  find(id: string): string | undefined;
  strike(id: string): void;
  list(): string[];
}

export function openRegister(home: string, project: string): RunRegister {
  const folder = path.join(home, '.agent', 'run-register', sha256(realPath(project) ?? project));
  const fileOf = (id: string) => path.join(folder, id);
  return {
    enlist(id) {
      makeFolder(folder);
      writeNewFile(fileOf(id), '');
    },
    // Into the file that is there, in one write: making another costs as much as the rest of ending a run.
    end(id, head) {
      const file = openForAppend(fileOf(id), 0);
      file.append(Buffer.from(head));
      file.close();
    },
    find: (id) => readTextIfThere(fileOf(id)),
    strike: (id) => removeTree(fileOf(id)),
    list: () => namesIn(folder),
  };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith('.'));
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}
