// Carries a prepared transaction out, one name after the other; a second time it goes on where it was cut off.
import { chmodSync, lchownSync, mkdirSync, readdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs';
import { Fault } from '../../base/errors.ts';
import { errorCode } from '../../base/read-file.ts';
import { visible } from '../../base/text.ts';
import { type FileChange, foldersAbove } from '../change.ts';
import { type Entry, entryAt, entryBelow, isSameEntry } from '../entry.ts';
import type { ApplyJournal } from './journal.ts';
import { inProject, type Place } from './project-tree.ts';
import { stagedFile } from './stage.ts';

/** Returns the paths that somebody changed after the commit had begun; they are left as they are. */
export function commit({ id, project, changes, closed }: ApplyJournal): string[] {
  const numbered = changes.map((change, index) => ({ change, index }));
  const skipped = new Set<string>();
  const attempt = (change: FileChange, act: (place: Place) => void) => {
    if (!commitOne(project, change, act)) skipped.add(change.path);
  };
  for (const { path } of closed) setFolderMode(project, path, 0o700);
  // From the inside out, so that folders are empty when their turn comes.
  for (const { change } of numbered.toReversed()) {
    const { before } = change;
    if (before && isRemoved(change)) attempt(change, ({ at }) => remove(at, before));
  }
  for (const { change, index } of numbered) {
    const { after } = change;
    if (after) attempt(change, (place) => put(after, place, stagedFile(project, id, index)));
  }
  // Last and from the inside out, because a folder may become one that cannot be entered.
  const changed = changes.flatMap(({ path, after }) => (after?.kind === 'folder' ? { path, mode: after.mode } : []));
  const folders = new Map([...closed, ...changed].map(({ path, mode }) => [path, mode]));
  for (const [path, mode] of [...folders].sort().toReversed()) setFolderMode(project, path, mode);
  return [...skipped];
}

/** Folders above the changes that their owner has closed: they are opened for the commit. */
export function closedFolders(project: string, changes: readonly FileChange[]): ApplyJournal['closed'] {
  const above = new Set(changes.flatMap(({ path }) => foldersAbove(path)));
  return [...above].sort().flatMap((path) => {
    const entry = entryBelow(project, path);
    return entry?.kind === 'folder' && (entry.mode & 0o700) !== 0o700 ? [{ path, mode: entry.mode }] : [];
  });
}

function setFolderMode(project: string, below: string, mode: number): void {
  try {
    inProject(project, below, ({ at }) => {
      if (entryAt(at)?.kind === 'folder') chmodSync(at, mode);
    });
  } catch (error) {
    if (!isInTheWay(error)) throw error;
  }
}

/** Nothing takes its place, or something of another kind does. */
function isRemoved({ before, after }: FileChange): boolean {
  return (
    before !== undefined &&
    (after === undefined || (after.kind !== before.kind && [after.kind, before.kind].includes('folder')))
  );
}

function commitOne(project: string, { path, before, after }: FileChange, act: (place: Place) => void): boolean {
  try {
    return inProject(project, path, (place) => {
      const now = entryAt(place.at);
      if (isReached(now, after)) return true;
      if (now !== undefined && !isSameEntry(now, before) && !isReached(now, before)) return false;
      act(place);
      return true;
    });
  } catch (error) {
    if (isInTheWay(error)) return false;
    throw error;
  }
}

/** Somebody put a file into a folder that goes, or took a folder away; or the disk itself refuses. */
function isInTheWay(error: unknown): boolean {
  return error instanceof Fault ? error.type === 'Conflict' : errorCode(error) !== undefined;
}

/** The mode of a folder is set at the very end. */
function isReached(now: Entry | undefined, wanted: Entry | undefined): boolean {
  return isSameEntry(now, wanted) || (now?.kind === 'folder' && wanted?.kind === 'folder');
}

function remove(at: string, { kind }: Entry): void {
  if (kind === 'folder') rmdirSync(at);
  else unlinkSync(at);
}

function put({ kind, owner: was }: Entry, { at, owner: above }: Place, staged: string): void {
  if (kind !== 'folder') {
    renameSync(staged, at);
    return;
  }
  mkdirSync(at, 0o700);
  const { uid, gid } = was ?? above;
  if (process.geteuid?.() === 0) lchownSync(at, uid, gid);
}

/** Throws a Fault that names what is no longer as the changes found it. */
export function requireUnchanged(project: string, changes: readonly FileChange[]): void {
  const changed = changedSince(project, changes).map(visible);
  if (changed.length > 0) throw new Fault('Conflict', changed.join(', '), { details: { paths: changed } });
}

/** The paths at which the project is no longer as the changes found it. */
export function changedSince(project: string, changes: readonly FileChange[]): string[] {
  const made = new Set(
    changes
      .filter(({ before, after }) => before?.kind !== 'folder' && after?.kind === 'folder')
      .map(({ path }) => path),
  );
  const known = new Set(changes.map(({ path }) => path));
  const isChanged = (change: FileChange) =>
    !isAsBefore(project, change, made) || (isFolderGone(change) && hasMore(project, change.path, known));
  return changes.filter(isChanged).map(({ path }) => path);
}

function isFolderGone({ before, after }: FileChange): boolean {
  return before?.kind === 'folder' && after?.kind !== 'folder';
}

/** Somebody has put something into a folder that goes. */
function hasMore(project: string, folder: string, known: ReadonlySet<string>): boolean {
  try {
    const names = inProject(project, folder, ({ at }) => readdirSync(at));
    return names.some((name) => !known.has(`${folder}/${name}`));
  } catch {
    // Closed by its owner, or gone: what stands in the way then is found out when it goes.
    return false;
  }
}

function isAsBefore(project: string, { path, before }: FileChange, made: ReadonlySet<string>): boolean {
  // In a folder that is not there yet nothing is.
  if (!before && foldersAbove(path).some((parent) => made.has(parent))) return true;
  try {
    return inProject(project, path, ({ at }) => isSameEntry(entryAt(at), before));
  } catch (error) {
    if (error instanceof Fault && error.type === 'Conflict') return false;
    throw error;
  }
}
