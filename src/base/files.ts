// Every write of our own state: private, atomic, durable. Only listed modules may import it.
import {
  chmodSync,
  closeSync,
  constants,
  cpSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { randomId } from './ids.ts';
import { errorCode, isNotFound } from './read-file.ts';

/** Large content may come in parts, so that it need not be put together first. */
export type Content = string | Uint8Array | readonly Uint8Array[];

export interface WriteOptions {
  /** 0600 unless the file is meant for others. */
  mode?: number;
  /** Survive a power cut, at the price of a flush. */
  durable?: boolean;
}

export function makeFolder(folder: string, mode = 0o700): void {
  mkdirSync(folder, { recursive: true, mode });
}

/**
 * Its parent must be there: what was taken away meanwhile is not made again. Below a folder that is held open it is the
 * only way: `makeFolder` tries for ever to make the parent, once that was removed.
 */
export function addFolder(folder: string, mode = 0o700): boolean {
  try {
    mkdirSync(folder, { mode });
    return true;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    return false;
  }
}

/** Readers see the old content or the new one, never half of it. */
export function writeFileAtomic(file: string, content: Content, options: WriteOptions = {}): void {
  const temporary = path.join(path.dirname(file), `.${path.basename(file)}.${randomId(6)}.tmp`);
  try {
    writeNewFile(temporary, content, options);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Fails with EEXIST when the file is there already; never follows a link. */
export function writeNewFile(file: string, content: Content, options: WriteOptions = {}): void {
  const descriptor = openSync(file, 'wx', options.mode ?? 0o600);
  try {
    for (const bytes of partsOf(content)) {
      for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
    }
    if (options.durable) fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Puts new content into a file where it stands; whoever is killed meanwhile leaves half of it. */
export function overwriteFile(file: string, content: string): void {
  const { O_CREAT, O_WRONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  // Should somebody have put a pipe there, nobody waits for its reader.
  const descriptor = openSync(file, O_CREAT | O_WRONLY | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    const bytes = Buffer.from(content);
    for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
    if (fstatSync(descriptor).size > bytes.length) ftruncateSync(descriptor, bytes.length);
  } finally {
    closeSync(descriptor);
  }
}

function partsOf(content: Content): readonly Uint8Array[] {
  if (typeof content === 'string') return [Buffer.from(content)];
  return content instanceof Uint8Array ? [content] : content;
}

/** Copies an open file to a name, whole or not at all; false when it holds more than `limit` bytes. */
export function copyFileAtomic(from: number, file: string, options: { mode: number; limit: number }): boolean {
  const temporary = path.join(path.dirname(file), `.skillwright-${randomId(12)}.tmp`);
  try {
    const complete = copyDescriptor(from, temporary, options);
    if (complete) renameSync(temporary, file);
    return complete;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Copies an open file to a new name, with exactly that mode. */
export function copyOpenFile(from: number, file: string, mode: number): void {
  copyDescriptor(from, file, { mode: 0o600, limit: Number.POSITIVE_INFINITY });
  chmodSync(file, mode);
}

function copyDescriptor(from: number, file: string, { mode, limit }: { mode: number; limit: number }): boolean {
  const to = openSync(file, 'wx', mode);
  try {
    const block = Buffer.allocUnsafe(64 * 1024);
    for (let copied = 0; ; ) {
      const read = readSync(from, block);
      if (read === 0) return true;
      copied += read;
      if (copied > limit) return false;
      for (let written = 0; written < read; ) written += writeSync(to, block, written, read - written);
    }
  } finally {
    closeSync(to);
  }
}

/** Gives a finished folder its name; false when another was faster. */
export function nameFolder(staged: string, folder: string): boolean {
  try {
    renameSync(staged, folder);
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'EPERM') return false;
    throw error;
  }
}

/** Gives a folder another name, on another disk too; only the way within one disk happens at once. */
export function moveTree(from: string, to: string): void {
  try {
    // A folder that moves is changed itself: its way up leads elsewhere.
    if (lstatSync(from).isDirectory()) chmodSync(from, lstatSync(from).mode | 0o700);
    renameSync(from, to);
  } catch (error) {
    if (errorCode(error) !== 'EXDEV') throw error;
    copyTree(from, to);
    removeTree(from);
  }
}

/** Copies a folder with what is in it, and its times; links stay links, and nothing is written over. */
export function copyTree(from: string, to: string): void {
  cpSync(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    preserveTimestamps: true,
    force: false,
    errorOnExist: true,
  });
}

/** A link with exactly this text; what it leads to is the caller's to check. */
export function makeLink(file: string, text: string): void {
  symlinkSync(text, file);
}

export function setMode(file: string, mode: number): void {
  chmodSync(file, mode);
}

/** Sets when a file was last used, making it where it is missing. */
export function touchFile(file: string, time: number): void {
  closeSync(openSync(file, 'a', 0o600));
  utimesSync(file, time / 1000, time / 1000);
}

/** Makes a user the owner of one file or folder; a link is given, never followed. Only root can. */
export function giveFile(file: string, uid: number, gid: number): void {
  lchownSync(file, uid, gid);
}

/** Makes a user the owner of a folder and what is in it; links are given, never followed. Only root can. */
export function giveTree(file: string, uid: number): void {
  lchownSync(file, uid, uid);
  if (!lstatSync(file).isDirectory()) return;
  for (const name of readdirSync(file)) giveTree(path.join(file, name), uid);
}

/** Removes a folder and what is in it, also where its folders were made read-only. */
export function removeTree(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if (errorCode(error) !== 'EACCES' && errorCode(error) !== 'EPERM') throw error;
    makeWritable(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Removes a folder with nothing in it; one that is in use stays. Says whether it is gone. */
export function removeEmptyFolder(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    const code = errorCode(error) ?? '';
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR', 'EBUSY'].includes(code)) throw error;
    return code === 'ENOENT';
  }
}

function makeWritable(folder: string): void {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) makeWritable(path.join(folder, entry.name));
  }
}

/** Gives a file its content once: false when it is there already, and then nothing changes. */
export function createFileOnce(file: string, content: string | Uint8Array): boolean {
  const temporary = path.join(path.dirname(file), `.${path.basename(file)}.${randomId(6)}.tmp`);
  try {
    writeNewFile(temporary, content, { durable: true });
    linkSync(temporary, file);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Takes a file away under a name nobody knows; undefined when another was faster. */
export function takeFile(file: string): string | undefined {
  const taken = path.join(path.dirname(file), `.${randomId(12)}.taken`);
  try {
    renameSync(file, taken);
    return readFileSync(taken, 'utf8');
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  } finally {
    rmSync(taken, { force: true });
  }
}
