// Goes through a folder of the world, held open while it is looked at; links are named, never followed.
import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { SKIPPED_FOLDERS } from '../../base/hidden-files.ts';
import { type OpenFolder, openFolder } from '../../loader/contained.ts';
import { realFiles } from '../../loader/files.ts';
import { type GuardedPath, isClosed, type World } from './path-guard.ts';

export type EntryKind = 'file' | 'folder' | 'link' | 'other';

export interface WalkEntry extends GuardedPath {
  readonly kind: EntryKind;
  /** Reaches this very entry until the next one is asked for. */
  readonly at: string;
}

/** Parents before children, by name. What is hidden, and what is generated, is left out. */
export function* walk(world: World, folder: OpenFolder, place: GuardedPath, depth: number): Generator<WalkEntry> {
  for (const name of readdirSync(folder.at).sort()) {
    const entry = entryOf(folder, place, name);
    if (!entry || isClosed(world, entry)) continue;
    yield entry;
    if (entry.kind === 'folder' && depth > 1 && !SKIPPED_FOLDERS.has(name)) yield* walkInto(world, entry, depth - 1);
  }
}

function* walkInto(world: World, entry: WalkEntry, depth: number): Generator<WalkEntry> {
  const folder = unlessGone(() => openFolder(entry.at, realFiles));
  if (!folder) return;
  try {
    yield* walk(world, folder, entry, depth);
  } finally {
    folder.close();
  }
}

function entryOf(folder: OpenFolder, place: GuardedPath, name: string): WalkEntry | undefined {
  const at = `${folder.at}/${name}`;
  const stats = lstatSync(at, { throwIfNoEntry: false });
  if (!stats) return undefined;
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : 'other';
  return { root: place.root, steps: [...place.steps, name], path: path.posix.join(place.path, name), kind, at };
}

// Folders vanish, turn into links or may not be read while a tree is walked; the rest is still worth having.
function unlessGone<Result>(open: () => Result): Result | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}
