// The identity of a skill's exact files: any changed byte, name or executable bit gives another digest.
import { createHash } from 'node:crypto';
import { closeSync, constants, type Dirent, fstatSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { errorCode, isNotFound } from '../base/files.ts';
import { sha256 } from '../base/ids.ts';
import { isInside, realPath } from '../base/paths.ts';

export interface DigestFile {
  /** Inside the folder, with / between the parts. */
  readonly path: string;
  readonly size: number;
  readonly mode: 'file' | 'executable' | 'link';
  readonly sha256: string;
}

export interface SkillDigest {
  readonly digest: string;
  /** Sorted by the bytes of their paths. */
  readonly files: readonly DigestFile[];
}

export interface DigestLimits {
  readonly files: number;
  readonly bytes: number;
}

const LIMITS: DigestLimits = { files: 10_000, bytes: 256 * 1024 * 1024 };

/** Hashes everything in the folder, hidden files too. Throws a Fault for what cannot belong to a skill. */
export function digestSkill(folder: string, limits: DigestLimits = LIMITS): SkillDigest {
  const root = realPath(folder);
  if (root === undefined) throw new Fault('MetadataMissing', folder);
  const files: DigestFile[] = [];
  let bytes = 0;
  for (const entry of walk(root, '', limits)) {
    const file = describe(root, entry.path, entry.dirent);
    bytes += file.size;
    if (bytes > limits.bytes) throw new Fault('LIMIT_DISK', `${folder} holds more than ${limits.bytes} bytes`);
    files.push(file);
  }
  files.sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
  return { digest: digestFiles(files), files };
}

/** Every part is preceded by its length, so that no two lists of files have the same text. */
export function digestFiles(files: readonly DigestFile[]): string {
  const hash = createHash('sha256').update('skillwright skill 1\n');
  for (const file of files) {
    const name = Buffer.from(file.path);
    hash.update(`${name.length}:`).update(name).update(`${file.mode} ${file.size} ${file.sha256}\n`);
  }
  return `sha256:${hash.digest('hex')}`;
}

interface Found {
  readonly path: string;
  readonly dirent: Dirent;
}

function walk(root: string, folder: string, limits: DigestLimits, found: Found[] = []): Found[] {
  for (const dirent of readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const inside = folder === '' ? dirent.name : `${folder}/${dirent.name}`;
    if (dirent.isDirectory()) walk(root, inside, limits, found);
    else found.push({ path: inside, dirent });
    if (found.length > limits.files) throw new Fault('LIMIT_DISK', `${root} holds more than ${limits.files} files`);
  }
  return found;
}

function describe(root: string, inside: string, dirent: Dirent): DigestFile {
  if (dirent.isSymbolicLink()) return describeLink(root, inside);
  if (!dirent.isFile()) throw new Fault('PathBlocked', `${inside} is neither a file nor a folder`);
  return { path: inside, ...hashFile(path.join(root, inside), inside) };
}

// A link is part of the skill as a link; what it points to is hashed where it stands.
function describeLink(root: string, inside: string): DigestFile {
  const link = path.join(root, inside);
  const target = realPath(link);
  if (target === undefined || !isInside(root, target)) {
    throw new Fault('PathBlocked', `the link ${inside} leads out of the skill folder`);
  }
  const written = readlinkSync(link);
  return { path: inside, size: Buffer.byteLength(written), mode: 'link', sha256: sha256(written) };
}

const CHUNK = 256 * 1024;

function hashFile(file: string, inside: string): Omit<DigestFile, 'path'> {
  const descriptor = openFile(file, inside);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new Fault('PathBlocked', `${inside} is not a regular file`);
    const hash = createHash('sha256');
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK, Math.max(1, stats.size + 1)));
    let size = 0;
    for (let read = readSync(descriptor, buffer); read > 0; read = readSync(descriptor, buffer)) {
      hash.update(buffer.subarray(0, read));
      size += read;
    }
    return { size, mode: stats.mode & 0o111 ? 'executable' : 'file', sha256: hash.digest('hex') };
  } finally {
    closeSync(descriptor);
  }
}

function openFile(file: string, inside: string): number {
  try {
    return openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const changed = isNotFound(error) || errorCode(error) === 'ELOOP';
    throw new Fault(changed ? 'IntegrityMismatch' : 'PermissionDenied', inside, { cause: error });
  }
}
