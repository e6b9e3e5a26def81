// The mask of a layer: what lies over the project so that hidden files deny, and Skillwright's own records are absent.
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { giveFile, makeFolder, setMode, writeNewFile } from '../base/files.ts';
import { findHiddenFiles, isRecordFile } from '../base/hidden-files.ts';
import { sha256 } from '../base/ids.ts';
import { isInside, realPath } from '../base/paths.ts';
import { readTextIfThere } from '../base/read-file.ts';
import { isGitConfig, plainGitConfig } from './git-config.ts';
import type { LayerPlace } from './layer.ts';

export interface Mask {
  /** Not there at all, so that programs that read everything end as they would without them. */
  readonly absent: readonly string[];
  /** Folders that nobody may enter. */
  readonly closed: readonly string[];
  /** Files that nobody may read. */
  readonly denied: readonly string[];
  /** Files that are shown with other content, by their path. */
  readonly replaced: Readonly<Record<string, string>>;
}

/** Absolute paths. Throws a Fault where the project is too large to be looked through. */
export function hiddenIn({ project, memory, bounds }: LayerPlace): string[] {
  const { projectFiles: mostEntries, leaveOut } = bounds;
  return findHiddenFiles(project, { memory, mostEntries, leaveOut });
}

/** A hidden name may be a link: what it leads to is hidden, too. */
export function withTargets(project: string, hidden: readonly string[]): string[] {
  const root = realPath(project) ?? project;
  const targets = hidden.flatMap((file) => {
    const real = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ? realPath(file) : undefined;
    return real !== undefined && real !== root && isInside(root, real)
      ? [path.join(project, path.relative(root, real))]
      : [];
  });
  return [...new Set([...hidden, ...targets])];
}

/** `hidden` are absolute paths inside the project; own state of ours is absent, everything else denies. */
export function planMask(project: string, hidden: readonly string[], own: readonly string[]): Mask {
  const below = (file: string) => path.relative(project, file);
  const absent = [...hidden.filter((file) => isRecordFile(below(file))), ...own].map(below);
  const isAbsent = new Set(absent);
  const denied = hidden.map(below).filter((file) => !isAbsent.has(file));
  const isFolder = (file: string) => lstatSync(path.join(project, file), { throwIfNoEntry: false })?.isDirectory();
  const plain = denied.filter((file) => !isFolder(file));
  const replaced = plain.flatMap((file) => {
    const text = isGitConfig(file) ? readTextIfThere(path.join(project, file)) : undefined;
    return text === undefined ? [] : [[file, plainGitConfig(text)] as const];
  });
  return {
    absent,
    closed: denied.filter((file) => isFolder(file)),
    denied: plain.filter((file) => !replaced.some(([name]) => name === file)),
    replaced: Object.fromEntries(replaced),
  };
}

export function hiddenPaths({ absent, closed, denied, replaced }: Mask): ReadonlySet<string> {
  return new Set([...absent, ...closed, ...denied, ...Object.keys(replaced)]);
}

/** The same for masks that show the same: what is hidden, with what, and the folders that are shown by their own modes. */
export function maskKey(project: string, mask: Mask, user: number | undefined): string {
  const owners = ['', ...foldersOf(mask), ...Object.keys(mask.replaced)].map((below) => {
    const { mode, uid, gid } = lstatSync(path.join(project, below));
    return [below, mode, uid, gid];
  });
  return sha256(JSON.stringify([mask, owners, user !== undefined])).slice(0, 32);
}

/** Into a folder that is not there yet; everything but what only the holder can make: absent names and closed folders. */
export function writeMask(folder: string, project: string, mask: Mask): void {
  const { denied, replaced } = mask;
  makeFolder(folder);
  for (const parent of foldersOf(mask)) {
    makeFolder(path.join(folder, parent));
    likeIn(folder, project, parent);
  }
  for (const file of denied) writeNewFile(path.join(folder, file), '', { mode: 0 });
  for (const [file, content] of Object.entries(replaced)) {
    writeNewFile(path.join(folder, file), content);
    likeIn(folder, project, file);
  }
  likeIn(folder, project, '');
}

/** Above what is hidden, from the outside in. */
function foldersOf(mask: Mask): ReadonlySet<string> {
  const steps = [...hiddenPaths(mask)].map((file) => file.split('/').slice(0, -1));
  return new Set(steps.flatMap((above) => above.map((_, index) => above.slice(0, index + 1).join('/'))));
}

/** A folder that lies in several layers is shown with the mode and owner it has in the uppermost. */
export function likeIn(folder: string, project: string, below: string): void {
  const { mode, uid, gid } = lstatSync(path.join(project, below));
  const made = path.join(folder, below);
  if (process.geteuid?.() === 0) giveFile(made, uid, gid);
  setMode(made, mode & 0o7777);
}
