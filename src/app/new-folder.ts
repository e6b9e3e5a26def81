// A new folder with its files, put in place at once.
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { makeFolder, nameFolder, removeTree, writeNewFile } from '../base/files.ts';
import { randomId } from '../base/ids.ts';
import { visible } from '../base/text.ts';

/** All of it or nothing, and never over something that is there; what begins like a script may be executed. */
export function writeNewFolder(folder: string, files: ReadonlyMap<string, string>): void {
  const staged = path.join(path.dirname(folder), `.${path.basename(folder)}.${randomId(6)}.tmp`);
  try {
    for (const [name, content] of files) {
      const file = path.join(staged, name);
      makeFolder(path.dirname(file), 0o755);
      writeNewFile(file, content, { mode: content.startsWith('#!') ? 0o755 : 0o644 });
    }
    const isFree = lstatSync(folder, { throwIfNoEntry: false }) === undefined;
    if (!isFree || !nameFolder(staged, folder)) throw new Fault('AlreadyExists', visible(folder));
  } catch (error) {
    removeTree(staged);
    throw error;
  }
}
