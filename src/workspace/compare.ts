// Compares the project with the tree a run sees, and looks only at what the run has touched where that is known.
import { readdirSync } from 'node:fs';
import { errorCode, isNotFound } from '../base/read-file.ts';
import type { FileChange } from './change.ts';
import { type Entry, entryAt, isSameEntry, statsAt } from './entry.ts';

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
  /** Not shown to the run, and no change unless it wrote there. */
  readonly isHidden: (path: string) => boolean;
}

export function compareTrees(trees: ComparedTrees): FileChange[] {
  return [...changesBelow('', trees, { inProject: true, inTree: true, touchedOnly: trees.upper !== undefined })];
}

interface Folder {
  /** Whether it is a folder there: a link to one is none. */
  readonly inProject: boolean;
  readonly inTree: boolean;
  /** Names in it that the run has not written are the project's own. */
  readonly touchedOnly: boolean;
}

function* changesBelow(below: string, trees: ComparedTrees, folder: Folder): Generator<FileChange> {
  const inProject = folder.inProject ? namesIn(at(trees.project, below)) : [];
  const inTree = folder.inTree ? namesIn(at(trees.tree, below)) : [];
  const written = new Set(trees.upper === undefined ? [] : namesIn(at(trees.upper, below)));
  for (const name of [...new Set([...inProject, ...inTree])].sort()) {
    const path = join(below, name);
    const isWritten = written.has(name);
    if (!isWritten && trees.isHidden(path)) continue;
    if (folder.touchedOnly && !isWritten && isUntouched(path, trees)) continue;
    if (trees.isUntouched?.(path) && !isFolderInBoth(path, trees)) continue;
    yield* changesAt(path, trees, folder.touchedOnly && isWritten);
  }
}

function* changesAt(path: string, trees: ComparedTrees, touchedOnly: boolean): Generator<FileChange> {
  const before = readEntry(at(trees.project, path));
  const after = appliedEntry(readEntry(at(trees.tree, path)), before);
  if (!isSameEntry(before, after)) yield { path, ...(before && { before }), ...(after && { after }) };
  const inProject = before?.kind === 'folder';
  const inTree = after?.kind === 'folder';
  const isInBoth = inProject && inTree;
  if (inProject || inTree)
    yield* changesBelow(path, trees, { inProject, inTree, touchedOnly: touchedOnly && isInBoth });
}

/** Setuid, setgid, and write for others are not taken over from a run; what has them keeps them with its own bytes only. */
const UNSAFE_BITS = 0o6002;

function appliedEntry(after: Entry | undefined, before: Entry | undefined): Entry | undefined {
  if (!after || after.kind === 'link') return after;
  const isSame = before?.kind === after.kind && before.digest === after.digest;
  const kept = isSame ? before.mode & UNSAFE_BITS : 0;
  return { ...after, mode: after.mode & (~UNSAFE_BITS | kept) };
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

/** The overlay marks the disk of an inode in its high bits. */
function lowBits(inode: bigint): bigint {
  return inode & 0xffff_ffff_ffffn;
}

/** What nobody can name or read is there all the same, and cannot be applied. */
function readEntry(file: string): Entry | undefined {
  if (file.includes('\ufffd')) return { kind: 'special', mode: 0, size: 0 };
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

function at(root: string, below: string): string {
  return below === '' ? root : `${root}/${below}`;
}

function join(below: string, name: string): string {
  return below === '' ? name : `${below}/${name}`;
}
