// What is at a path: enough to tell whether it is still the same, and to make it again somewhere else.
import { createHash } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
} from 'node:fs';
import { errorCode, isNotFound } from '../base/read-file.ts';
import { type Digest, isDigest, requireDigest } from '../base/value/digest.ts';
import { isNumber, isObject, isOptional, isText, isWord } from '../base/value/shape.ts';

export interface Entry {
  readonly kind: KindOfEntry;
  /** Permissions, with setuid, setgid and the sticky bit. */
  readonly mode: number;
  /** Of a file: its bytes. */
  readonly size: number;
  /** Of a file. */
  readonly digest?: Digest;
  /** Of a link: what it says. */
  readonly target?: string;
  /** Of the project's own: whom it belongs to. What a run has made belongs to whom its folder belongs. */
  readonly owner?: FileOwner | undefined;
}

export interface FileOwner {
  readonly uid: number;
  readonly gid: number;
}

/** `special`: a pipe, a socket, a device, or what has a name nobody can write. */
export type KindOfEntry = 'file' | 'folder' | 'link' | 'special';

/** Undefined where nothing is. Throws where it may not be read. */
export function entryAt(file: string): Entry | undefined {
  const stats = statsAt(file);
  return stats && entryOf(file, stats);
}

/** The same below a folder: behind a link on the way lies another place, of which nothing is read. */
export function entryBelow(root: string, below: string): Entry | undefined {
  const stats = statsBelow(root, below);
  return stats && entryOf(`${root}/${below}`, stats);
}

/** Undefined where anything but a folder stands above it. */
export function statsBelow(root: string, below: string): BigIntStats | undefined {
  const steps = below.split('/');
  const above = steps.slice(0, -1).map((_, at) => `${root}/${steps.slice(0, at + 1).join('/')}`);
  return above.every((folder) => statsAt(folder)?.isDirectory()) ? statsAt(`${root}/${below}`) : undefined;
}

export function statsAt(file: string): BigIntStats | undefined {
  try {
    return lstatSync(file, { bigint: true });
  } catch (error) {
    // Below a file, or below a link, nothing is.
    if (isNotFound(error) || errorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** The number of an inode on its own disk: an overlay marks the disk in the high bits. */
export function lowBits(inode: bigint): bigint {
  return inode & 0xffff_ffff_ffffn;
}

export function kindOf(stats: BigIntStats): KindOfEntry {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'folder';
  return stats.isSymbolicLink() ? 'link' : 'special';
}

/** Whether two entries have the same content, name of the link, and permissions. */
export function isSameEntry(one: Entry | undefined, other: Entry | undefined): boolean {
  if (!one || !other) return one === other;
  const { kind } = one;
  if (kind !== other.kind || kind === 'special') return false;
  if (kind === 'link') return one.target === other.target;
  return one.mode === other.mode && one.digest === other.digest;
}

function entryOf(file: string, stats: BigIntStats): Entry {
  const kind = kindOf(stats);
  const mode = Number(stats.mode & 0o7777n);
  const owner = { uid: Number(stats.uid), gid: Number(stats.gid) };
  if (kind === 'file') return { kind, mode, ...digestFile(file), owner };
  if (kind === 'link') return { kind, mode: 0o777, size: 0, target: readlinkSync(file), owner };
  return { kind, mode, size: 0, owner };
}

const BLOCK = 256 * 1024;

/** Size and digest of the same bytes, whatever happens to the file meanwhile. */
function digestFile(file: string): { size: number; digest: Digest } {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const descriptor = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const hash = createHash('sha256');
    const block = Buffer.allocUnsafe(Math.min(BLOCK, fstatSync(descriptor).size + 1));
    for (let size = 0; ; ) {
      const read = readSync(descriptor, block);
      if (read === 0) return { size, digest: requireDigest(`sha256:${hash.digest('hex')}`) };
      hash.update(block.subarray(0, read));
      size += read;
    }
  } finally {
    closeSync(descriptor);
  }
}

/** As a journal stores it. */
export const isEntry = isObject<Entry>({
  kind: isWord(['file', 'folder', 'link', 'special']),
  mode: isNumber,
  size: isNumber,
  digest: isOptional(isDigest),
  target: isOptional(isText),
  owner: isOptional(isObject<FileOwner>({ uid: isNumber, gid: isNumber })),
});
