// Files of our own that stay open: to append to, to overwrite, or without a name. Only listed modules may import it.
import {
  closeSync,
  constants,
  fchmodSync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { randomId } from './ids.ts';

export interface AppendFile {
  append(bytes: Uint8Array): void;
  /** Returns when the content would survive a power cut. */
  flush(): void;
  close(): void;
}

/** Everything after `length` bytes is cut off first; children do not inherit the descriptor. */
export function openForAppend(file: string, length?: number): AppendFile {
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW = 0 } = constants;
  const descriptor = openSync(file, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600);
  if (length !== undefined) ftruncateSync(descriptor, length);
  return {
    append(bytes) {
      for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
    },
    flush: () => fdatasyncSync(descriptor),
    close: () => closeSync(descriptor),
  };
}

export interface OverwriteFile {
  write(content: string): void;
  close(): void;
}

/** For content of one length that is replaced again and again: in a single write each time, which no kill cuts in two. */
export function openForOverwrite(file: string): OverwriteFile {
  const { O_CREAT, O_WRONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const descriptor = openSync(file, O_CREAT | O_WRONLY | O_NOFOLLOW | O_NONBLOCK, 0o600);
  return {
    write(content) {
      const bytes = Buffer.from(content);
      for (let written = 0; written < bytes.length; )
        written += writeSync(descriptor, bytes, written, bytes.length - written, written);
    },
    close: () => closeSync(descriptor),
  };
}

/** An open, readable descriptor on content that has no name: nothing to clean up, nothing for others to open. */
export function openNameless(folder: string, content: string | Uint8Array): number {
  const { descriptor: writable, name } = openUnnamed(folder);
  try {
    writeFileSync(writable, content);
    const descriptor = openSync(name ?? `/proc/self/fd/${writable}`, 'r');
    // Whoever is handed the descriptor may open it again, under another user id too.
    fchmodSync(descriptor, 0o444);
    return descriptor;
  } finally {
    closeSync(writable);
    if (name !== undefined) unlinkSync(name);
  }
}

/** An empty file without a name, to be written by whoever is handed it and read by us. */
export function openScratch(folder: string): number {
  const { descriptor, name } = openUnnamed(folder);
  if (name !== undefined) unlinkSync(name);
  return descriptor;
}

// Linux alone has the flag, and Node does not list it; with O_EXCL the file can never be given a name.
const NEVER_NAMED = process.platform === 'linux' ? 0o20000000 | constants.O_DIRECTORY | constants.O_EXCL : undefined;

/** Never named, so that a kill leaves nothing behind; where the file system has no such files, one the caller unlinks. */
function openUnnamed(folder: string): { descriptor: number; name?: string } {
  if (NEVER_NAMED !== undefined) {
    try {
      return { descriptor: openSync(folder, NEVER_NAMED | constants.O_RDWR, 0o600) };
    } catch {
      // What is really wrong with the folder, the next line reports.
    }
  }
  const name = path.join(folder, `.skillwright-${randomId(12)}`);
  return { descriptor: openSync(name, 'wx+', 0o600), name };
}

/** Both ends of a named pipe that loses its name; whoever is handed one may open it again, under another user id too. */
export function openNamedPipe(file: string): { read: number; write: number } {
  const read = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const write = openSync(file, constants.O_WRONLY);
    unlinkSync(file);
    fchmodSync(write, 0o666);
    return { read, write };
  } catch (error) {
    closeSync(read);
    throw error;
  }
}
