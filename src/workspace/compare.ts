// Compares the project with the tree a run sees, and looks only at what the run has touched where that is known.
import { accessSync, constants, readdirSync } from 'node:fs';
import { Fault } from '../base/errors.ts';
import type { Text } from '../base/language.ts';
import { errorCode, isNotFound } from '../base/read-file.ts';
import type { FileChange } from './change.ts';
import { type Entry, entryAt, isSameEntry, lowBits, statsAt } from './entry.ts';

export interface ComparedTrees {
  readonly project: string;
  /** The project as the run sees it. */
  readonly tree: string;
  /** What the run has written, of an overlay: names beside it are the project's own. */
  readonly upper?: string;
  /** A folder of the project may appear under another name without being written. */
  readonly redirects?: boolean;
  /** Of a copy: neither changed nor removed since it was made. A folder counts only with its own mode. */
  readonly isUntouched?: (path: string) => boolean;
  /** Of a copy: what is no file, folder or link, whatever stands in its place. */
  readonly isSpecial?: (path: string) => boolean;
  /** Not shown to the run, and no change unless it wrote there. */
  readonly isHidden: (path: string) => boolean;
}

/** More than anybody would look at, or wait for. */
const MOST_CHANGES = 20_000;
const MOST_BYTES = 2 * 1024 ** 3;

/** Throws a Fault where the run has written more than can be looked at; what it wrote stays where it is. */
export function compareTrees(trees: ComparedTrees): FileChange[] {
  const found: FileChange[] = [];
  const root = { inProject: true, inTree: true, touchedOnly: trees.upper !== undefined };
  for (const change of changesBelow('', trees, root)) {
    found.push(change);
    if (found.length > MOST_CHANGES) throw tooMuch({ en: `${MOST_CHANGES} files`, zh: `${MOST_CHANGES} 个文件` });
  }
  return found;
}

function tooMuch(limit: Text): Fault {
  return new Fault(
    'LIMIT_DISK',
    { en: `the run changed more than ${limit.en}`, zh: `该运行的更改超过 ${limit.zh}` },
    {
      hint: {
        en: 'Nothing of it is in the project; `skillwright runs discard latest` throws it away.',
        zh: '尚未写入项目；`skillwright runs discard latest` 可丢弃。',
      },
    },
  );
}

interface Folder {
  /** Whether it is a folder there: a link to one is none. */
  readonly inProject: boolean;
  readonly inTree: boolean;
  /** Names in it that the run has not written are the project's own. */
  readonly touchedOnly: boolean;
}

function* changesBelow(below: string, trees: ComparedTrees, folder: Folder): Generator<FileChange> {
  const written = new Set(trees.upper === undefined || !folder.inTree ? [] : namesIn(at(trees.upper, below)));
  for (const name of [...namesToCompare(below, trees, folder, written)].sort()) {
    const path = join(below, name);
    const isWritten = written.has(name);
    const isTouched = isWritten || (folder.inTree && trees.isUntouched?.(path) === false);
    if (!isTouched && trees.isHidden(path)) {
      // Its folder cannot go without it, and nobody was shown it.
      if (!folder.inTree) yield { path, before: hiddenEntry(at(trees.project, path)) };
      continue;
    }
    if (folder.touchedOnly && !isWritten && isUntouched(path, trees)) continue;
    if (trees.isUntouched?.(path) && !(folder.inProject && folder.inTree && isFolderInBoth(path, trees))) continue;
    yield* changesAt(path, trees, { ...folder, touchedOnly: folder.touchedOnly && isWritten });
  }
}

/** In a folder that a call made anew what was there is gone without a trace, and a moved one has other names. */
function namesToCompare(
  below: string,
  { project, tree, redirects }: ComparedTrees,
  folder: Folder,
  written: ReadonlySet<string>,
): ReadonlySet<string> {
  // The root is neither.
  if (folder.touchedOnly && below === '') return written;
  const inProject = folder.inProject ? namesIn(at(project, below)) : [];
  const inTree = new Set(folder.inTree ? namesIn(at(tree, below)) : []);
  if (!folder.touchedOnly || redirects) return new Set([...inProject, ...inTree]);
  return new Set([...written, ...inProject.filter((name) => !inTree.has(name))]);
}

/** Where its folder is a link, nothing is looked up in it: that would lead to files that are not the run's, nor the project's. */
function* changesAt(path: string, trees: ComparedTrees, folder: Folder): Generator<FileChange> {
  const size = folder.inTree ? (statsAt(at(trees.tree, path))?.size ?? 0n) : 0n;
  if (size > MOST_BYTES) throw tooMuch({ en: '2 GiB in one file', zh: '单个文件 2 GiB' });
  const before = folder.inProject ? readEntry(at(trees.project, path)) : undefined;
  const found = folder.inTree ? foundIn(trees, path) : undefined;
  // A folder that its owner may not list is told as one entry: what is in it can be neither shown nor applied.
  if (found?.kind === 'folder' && isClosed(at(trees.tree, path))) {
    yield { path, ...(before && { before }), after: SPECIAL };
    return;
  }
  const after = appliedEntry(found, before);
  if (!isSameEntry(before, after)) yield { path, ...(before && { before }), ...(after && { after }) };
  const inProject = before?.kind === 'folder';
  const inTree = after?.kind === 'folder';
  const isInBoth = inProject && inTree;
  if (inProject || inTree)
    yield* changesBelow(path, trees, { inProject, inTree, touchedOnly: folder.touchedOnly && isInBoth });
}

function foundIn(trees: ComparedTrees, path: string): Entry | undefined {
  return trees.isSpecial?.(path) ? SPECIAL : readEntry(at(trees.tree, path));
}

/** Setuid, setgid, and write for others are not taken over from a run: whoever had them may be somebody else. */
const UNSAFE_BITS = 0o6002;

function appliedEntry(found: Entry | undefined, before: Entry | undefined): Entry | undefined {
  if (!found || isSameEntry(found, before)) return found && before;
  const { owner: _, ...after } = found;
  return after.kind === 'link' ? after : { ...after, mode: after.mode & ~UNSAFE_BITS };
}

function isFolderInBoth(path: string, { project, tree }: ComparedTrees): boolean {
  return [project, tree].every((root) => statsAt(at(root, path))?.isDirectory());
}

/** The name was not written: it is gone, or it is the very entry of the project, or one that a moved folder brought. */
function isUntouched(path: string, { project, tree, redirects }: ComparedTrees): boolean {
  const after = statsAt(at(tree, path));
  if (!after) return false;
  if (!redirects) return true;
  const before = statsAt(at(project, path));
  return before !== undefined && before.mtimeNs === after.mtimeNs && lowBits(before.ino) === lowBits(after.ino);
}

const SPECIAL: Entry = { kind: 'special', mode: 0, size: 0 };

/** A folder is not looked into: it cannot be applied. */
function hiddenEntry(file: string): Entry {
  const entry = readEntry(file);
  return entry && entry.kind !== 'folder' ? entry : SPECIAL;
}

/** What nobody can name or read is there all the same, and cannot be applied. */
function readEntry(file: string): Entry | undefined {
  if (file.includes('\ufffd')) return SPECIAL;
  try {
    return entryAt(file);
  } catch (error) {
    if (errorCode(error) !== 'EACCES' && errorCode(error) !== 'EPERM') throw error;
    const stats = statsAt(file);
    return stats && { kind: 'special', mode: Number(stats.mode & 0o7777n), size: 0 };
  }
}

/** Empty where there is no such folder, and where it may not be listed. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const code = errorCode(error) ?? '';
    if (isNotFound(error) || ['ENOTDIR', 'EACCES', 'ELOOP'].includes(code)) return [];
    throw error;
  }
}

function isClosed(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    return false;
  } catch (error) {
    return errorCode(error) === 'EACCES';
  }
}

function at(root: string, below: string): string {
  return below === '' ? root : `${root}/${below}`;
}

function join(below: string, name: string): string {
  return below === '' ? name : `${below}/${name}`;
}
