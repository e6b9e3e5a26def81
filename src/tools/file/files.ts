// The port of tools that work on files: the project and the output folder, and no path that the guard does not let through.
import { closeSync, fstatSync, lstatSync, openSync, type Stats } from 'node:fs';
import { type FileContent, type Range, readDescriptor, readNamed, readRange, readWhole } from './open-text.ts';
import { explained, FILE_FLAGS, openListing, openParent, type World } from './path-guard.ts';
import { lookAtSource, relocate } from './relocate-file.ts';
import { lookAt, removeFile, replaceFile } from './replace-file.ts';
import { type EntryKind, walk } from './walk.ts';

export type { FileContent } from './open-text.ts';
export type { EntryKind } from './walk.ts';

export interface FilePort {
  /** All of it, or LIMIT_FILE_SIZE. */
  readWhole(path: string, maxBytes: number): FileContent;
  /** As much of the range as the file has. */
  readRange(path: string, range: Range): FileContent;
  /** Parents before children, by name. What is hidden, and what is generated, is left out. */
  walk<Result>(path: string, depth: number, visit: (entries: Iterable<ListedEntry>, shown: string) => Result): Result;
  /** For changing what has that name, or making it. No link is followed. */
  open(path: string, options?: { readonly create?: boolean }): OpenEntry;
  /** A plain file; in one step where the file system can. What has the new path stays, unless it is to be overwritten. */
  move(from: string, to: string, options: { readonly overwrite: boolean }): MovedFile;
}

export interface MovedFile {
  readonly from: string;
  readonly to: string;
  readonly replaced: boolean;
}

/** Holds until the next entry is asked for. */
export interface ListedEntry {
  readonly path: string;
  readonly kind: EntryKind;
  /** Of a file. */
  size(): number | undefined;
  /** Undefined for what is too large or may not be read. */
  read(maxBytes: number): Uint8Array | undefined;
}

/** A name in a folder that is held open. */
export interface OpenEntry extends Disposable {
  readonly path: string;
  /** What the file is now; undefined where there is none. Anything but a plain, writable file is refused. */
  look(): Stats | undefined;
  read(maxBytes: number): FileContent;
  /** False when the file is no longer what it was; nothing has changed then. */
  replace(content: string | Uint8Array, before: Stats | undefined): boolean;
  remove(): void;
}

export function openFiles(world: World): FilePort {
  return {
    readWhole: (path, maxBytes) => readWhole(world, path, maxBytes),
    readRange: (path, range) => readRange(world, path, range),
    walk: (path, depth, visit) => {
      const { folder, place } = openListing(world, path);
      try {
        return explained(place.path, () => visit(listed(walk(world, folder, place, depth)), place.path));
      } finally {
        folder.close();
      }
    },
    open: (path, options) => openEntry(world, path, options),
    move: (from, to, options) => moveFile(world, from, to, options),
  };
}

function openEntry(world: World, path: string, options: { readonly create?: boolean } = {}): OpenEntry {
  const parent = openParent(world, path, options);
  return {
    path: parent.path,
    look: () => lookAt(parent),
    read: (maxBytes) => readNamed(parent, maxBytes),
    replace: (content, before) => replaceFile(parent, content, before),
    remove: () => removeFile(parent),
    [Symbol.dispose]: () => parent.close(),
  };
}

function moveFile(world: World, from: string, to: string, { overwrite }: { readonly overwrite: boolean }): MovedFile {
  const source = openParent(world, from);
  try {
    const stats = lookAtSource(source);
    const target = openParent(world, to, { create: true });
    try {
      return { from: source.path, to: target.path, replaced: relocate(source, stats, target, overwrite) };
    } finally {
      target.close();
    }
  } finally {
    source.close();
  }
}

function* listed(entries: ReturnType<typeof walk>): Generator<ListedEntry> {
  for (const { path, kind, at } of entries)
    yield {
      path,
      kind,
      size: () => (kind === 'file' ? lstatSync(at, { throwIfNoEntry: false })?.size : undefined),
      read: (maxBytes) => readSmallFile(at, maxBytes),
    };
}

function readSmallFile(at: string, maxBytes: number): Uint8Array | undefined {
  try {
    const descriptor = openSync(at, FILE_FLAGS);
    try {
      const stats = fstatSync(descriptor);
      if (!stats.isFile() || stats.size > maxBytes) return undefined;
      return readDescriptor(descriptor, { offset: 0, length: maxBytes }, stats.size);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}
