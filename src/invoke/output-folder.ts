// The results of one call: staged in its private folder, seen at the output folder, copied out through the path guard.
import { type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, removeEmptyFolder } from '../base/files.ts';
import { isInside } from '../base/paths.ts';
import { type CopyOptions, type CopyReport, copyOut, makeTarget } from '../process/copy-out.ts';
import type { Mapped } from '../process/order.ts';
import { othersRun } from '../process/work-folder.ts';
import type { Door } from './door.ts';
import type { Work } from './work.ts';

export interface StagedOutput {
  /** Where the results lie, and where the call sees them. */
  readonly mapped: Mapped;
  /** Everything new or changed. */
  deliver(): CopyReport;
  /** Leaves no empty folder in the project where there was none. */
  close(): void;
}

export function stageOutput({ output }: Work, workFolder: string, mounts: boolean, door: Door): StagedOutput {
  const { folder, names } = output;
  const root = rootOf(folder, door);
  const staged = path.join(workFolder, 'output');
  makeFolder(staged);
  // A place must be there to be mounted at; made through the guard, because a project could lead us elsewhere by a link.
  const added = mounts ? missingFolders(folder, root) : [];
  if (mounts) makeTarget(root, folder);
  const before = bringIn({ from: folder, fromRoot: root, only: names }, staged);
  return {
    mapped: { at: folder, from: staged },
    deliver: () => copyOut({ from: staged, to: folder, root, before }),
    close() {
      // To take a folder away under a running call would take its results away.
      if (added.length > 0 && !othersRun(workFolder)) for (const empty of added) removeEmptyFolder(empty);
    },
  };
}

/** Results in the project lie below it; an output folder elsewhere is the user's own choice, and its own root. */
function rootOf(folder: string, { places }: Door): string {
  return isInside(places.project, folder) ? places.project : folder;
}

/** Through the guard too: a link on the way to the output folder could lead to files nobody gave the call. */
function bringIn(
  wanted: Required<Pick<CopyOptions, 'from' | 'fromRoot' | 'only'>>,
  staged: string,
): Map<string, Stats> {
  const { only } = wanted;
  if (only.length === 0) return new Map();
  const { copied } = copyOut({ ...wanted, to: staged, root: staged });
  for (const name of only) makeFolder(path.dirname(path.join(staged, name)), 0o755);
  return new Map(copied.map(({ path: name }) => [name, statSync(path.join(staged, name))]));
}

/** Deepest first. */
function missingFolders(folder: string, root: string): string[] {
  const missing: string[] = [];
  for (let at = folder; at !== root && isInside(root, at); at = path.dirname(at)) {
    if (statSync(at, { throwIfNoEntry: false })) break;
    missing.push(at);
  }
  return missing;
}
