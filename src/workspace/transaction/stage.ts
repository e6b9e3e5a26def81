// Prepares a transaction: new content is complete on the project's own disk, and what it replaces is kept under home.
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  lchownSync,
  linkSync,
  openSync,
  readSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { addFolder } from '../../base/files.ts';
import { visible } from '../../base/text.ts';
import type { FileChange } from '../change.ts';
import type { Entry, FileOwner } from '../entry.ts';
import { inProject } from './project-tree.ts';

/** In the root of the project, so that every file gets its name there by a rename. */
export function stagingFolder(project: string, id: string): string {
  return path.join(project, `.skillwright-${id}`);
}

export function stagedFile(project: string, id: string, index: number): string {
  return path.join(stagingFolder(project, id), String(index));
}

/** Throws a Fault where the content is not what the change says: somebody wrote into the layer since. */
export function stageContent(change: FileChange, from: string, to: string, owner: FileOwner | undefined): void {
  const { after } = change;
  if (after?.kind === 'link') stageLink(after, to, owner);
  if (after?.kind === 'file') stageFile(change.path, after, from, to, owner);
}

function stageLink({ target = '' }: Entry, to: string, owner: FileOwner | undefined): void {
  symlinkSync(target, to);
  if (owner) lchownSync(to, owner.uid, owner.gid);
}

const BLOCK = 256 * 1024;

function stageFile(shown: string, entry: Entry, from: string, to: string, owner: FileOwner | undefined): void {
  const { digest, mode, owner: was } = entry;
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const source = openSync(from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const target = openSync(to, 'wx', 0o600);
    try {
      if (`sha256:${copyAndHash(source, target)}` !== digest) throw changedMeanwhile(shown);
      if (owner) fchownSync(target, owner.uid, owner.gid);
      fchmodSync(target, modeFor(mode, fstatSync(target), was));
    } finally {
      closeSync(target);
    }
  } finally {
    closeSync(source);
  }
}

/** A program that runs as its owner, or with its group, must not become one of somebody else. */
function modeFor(mode: number, now: FileOwner, was: FileOwner | undefined): number {
  const setuid = was?.uid === now.uid ? 0 : 0o4000;
  const setgid = was?.gid === now.gid ? 0 : 0o2000;
  return mode & ~(setuid | setgid);
}

function copyAndHash(source: number, target: number): string {
  const hash = createHash('sha256');
  const block = Buffer.allocUnsafe(BLOCK);
  for (;;) {
    const read = readSync(source, block);
    if (read === 0) return hash.digest('hex');
    hash.update(block.subarray(0, read));
    for (let written = 0; written < read; ) written += writeSync(target, block, written, read - written);
  }
}

/** Keeps what the transaction replaces: a second name for it costs nothing, where it lies on the same disk. */
export function saveReplaced({ path: below, before }: FileChange, project: string, to: string): void {
  if (before?.kind !== 'file') return;
  inProject(project, below, ({ at }) => {
    try {
      linkSync(at, to);
    } catch {
      copyFileSync(at, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    }
  });
}

export function makeStaging(project: string, id: string): void {
  addFolder(stagingFolder(project, id), 0o700);
}

function changedMeanwhile(shown: string): Fault {
  const name = visible(shown);
  return new Fault('IntegrityMismatch', {
    en: `${name} in the layer is not what was shown`,
    zh: `层中的 ${name} 与所展示的内容不同`,
  });
}
