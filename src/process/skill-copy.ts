// A copy of a skill's snapshot for one call, which may write into it: the snapshot stays what the next call starts from.
import { constants, copyFileSync, existsSync, lstatSync, readdirSync, readlinkSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { addFolder, makeFolder, makeLink } from '../base/files.ts';
import type { Snapshot } from './snapshot.ts';
import { discard } from './work-folder.ts';

export interface SkillCopy extends Disposable {
  readonly folder: string;
  /** A folder of our own beside it, which no call sees; whoever keeps something there makes it. */
  readonly store: string;
}

/** A larger skill is not copied for every call: its folder stays read-only. */
const MOST_FILES = 2_000;
const MOST_BYTES = 64 * 1024 * 1024;

/** Beside the private folder of the call, which is shown to it. Where there is a copy already, that is it. Undefined for a large skill. */
export function copySkill(snapshot: Snapshot, workFolder: string, there?: string): SkillCopy | undefined {
  if (there === undefined && isLarge(snapshot)) return undefined;
  const store = path.join(path.dirname(workFolder), `skill-${path.basename(workFolder)}`);
  const copy: SkillCopy = {
    folder: there ?? path.join(store, 'files'),
    store,
    [Symbol.dispose]: () => existsSync(store) && discard(store),
  };
  if (there !== undefined) return copy;
  try {
    makeFolder(store);
    copyFolder(snapshot.folder, copy.folder);
    return copy;
  } catch (error) {
    copy[Symbol.dispose]();
    throw error;
  }
}

function isLarge({ files }: Snapshot): boolean {
  return files.length > MOST_FILES || files.reduce((sum, { size }) => sum + size, 0) > MOST_BYTES;
}

/** With times, by reflinks where the disk has them, and so that names are listed in the order in which the snapshot lists them. */
function copyFolder(from: string, to: string): void {
  addFolder(to, 0o755);
  // By name, which is how a snapshot is made, too.
  for (const name of readdirSync(from)) {
    const [source, target] = [path.join(from, name), path.join(to, name)];
    const stats = lstatSync(source);
    if (stats.isDirectory()) copyFolder(source, target);
    else if (stats.isSymbolicLink()) makeLink(target, readlinkSync(source));
    else {
      copyFileSync(source, target, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
      utimesSync(target, stats.atime, stats.mtime);
    }
  }
}
