// The mask of a layer: what lies over the project so that hidden files deny, and Skillwright's own records are absent.
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { giveFile, makeFolder, removeTree, setMode, writeNewFile } from '../base/files.ts';
import { isRecordFile } from '../base/hidden-files.ts';
import { isInside, realPath } from '../base/paths.ts';
import { readTextIfThere } from '../base/read-file.ts';
import { isGitConfig, plainGitConfig } from './git-config.ts';

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
  const denied = hidden.map(below).filter((file) => !absent.includes(file));
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

/** Everything but what only the holder can make: absent names and closed folders. */
export function writeMask(folder: string, project: string, mask: Mask): void {
  const { denied, replaced } = mask;
  removeTree(folder);
  makeFolder(folder);
  for (const file of hiddenPaths(mask)) makeParents(folder, project, file);
  for (const file of denied) writeNewFile(path.join(folder, file), '', { mode: 0 });
  for (const [file, content] of Object.entries(replaced)) {
    writeNewFile(path.join(folder, file), content);
    likeIn(folder, project, file);
  }
  likeIn(folder, project, '');
}

function makeParents(folder: string, project: string, file: string): void {
  const steps = file.split('/').slice(0, -1);
  for (const [index] of steps.entries()) {
    const parent = steps.slice(0, index + 1).join('/');
    makeFolder(path.join(folder, parent));
    likeIn(folder, project, parent);
  }
}

/** A folder that lies in several layers is shown with the mode and owner it has in the uppermost. */
export function likeIn(folder: string, project: string, below: string): void {
  const { mode, uid, gid } = lstatSync(path.join(project, below));
  const made = path.join(folder, below);
  if (process.geteuid?.() === 0) giveFile(made, uid, gid);
  setMode(made, mode & 0o7777);
}
