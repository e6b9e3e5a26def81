// The identity of a skill's exact files: any changed byte, name or executable bit gives another digest.
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { crypto, sha256 } from '../base/ids.ts';
import { isInside, realPath } from '../base/paths.ts';
import { errorCode, isNotFound } from '../base/read-file.ts';
import { type Digest, makeDigest } from '../base/value/digest.ts';
import { type KindEntry, listKinds, TREE_LIMIT } from './tree.ts';

export interface DigestFile {
  /** Inside the folder, with / between the parts. */
  readonly path: string;
  readonly size: number;
  readonly mode: 'file' | 'executable' | 'link';
  readonly sha256: string;
}

export interface SkillDigest {
  readonly digest: Digest;
  /** Sorted by the bytes of their paths. */
  readonly files: readonly DigestFile[];
}

export interface DigestLimits {
  readonly files: number;
  readonly bytes: number;
}

const LIMITS: DigestLimits = { files: 10_000, bytes: 256 * 1024 * 1024 };

/** The files of a skill: its folder, or its folder without what belongs to others. */
export interface SkillContent {
  readonly folder: string;
  readonly without?: readonly string[];
}

/**
 * Hashes everything in the folder, hidden files too. Throws a Fault for what cannot belong to a skill.
 * @example
 * const { digest } = digestSkill('.agent/skills/note-keeper');
 */
export function digestSkill(skill: string | SkillContent, limits: DigestLimits = LIMITS): SkillDigest {
  const { folder, without = [] } = typeof skill === 'string' ? { folder: skill } : skill;
  try {
    const left = new Set(without);
    const entries = listSkill(folder).filter(({ path: name }) => left.size === 0 || !left.has(firstOf(name)));
    return digestTree(folder, entries, limits);
  } catch (error) {
    throw unreadable(folder, error);
  }
}

/** Undefined for a folder that cannot be executed, because not all in it can belong to a skill. */
export function digestIfSound(skill: string | SkillContent): Digest | undefined {
  try {
    return digestSkill(skill).digest;
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

function firstOf(name: string): string {
  return name.split('/', 1)[0] ?? '';
}

/** The same as `digestSkill` for a folder that has just been listed. */
export function digestTree(folder: string, entries: readonly KindEntry[], limits: DigestLimits = LIMITS): SkillDigest {
  const files: DigestFile[] = [];
  let bytes = 0;
  for (const entry of entries) {
    if (entry.stats.isDirectory()) continue;
    if (files.length === limits.files || entries.length > TREE_LIMIT) {
      throw new Fault('LIMIT_DISK', `${folder} holds more than ${limits.files} files`);
    }
    const file = describe(folder, entry);
    bytes += file.size;
    if (bytes > limits.bytes) throw new Fault('LIMIT_DISK', `${folder} holds more than ${limits.bytes} bytes`);
    files.push(file);
  }
  files.sort(byPathBytes);
  return { digest: digestFiles(files), files };
}

/** Every part is preceded by its length, so that no two lists of files have the same text. */
export function digestFiles(files: readonly DigestFile[]): Digest {
  let text = 'skillwright skill 1\n';
  for (const { path: name, mode, size, sha256: content } of files)
    text += `${Buffer.byteLength(name)}:${name}${mode} ${size} ${content}\n`;
  return makeDigest(text);
}

const ASCII = /^[\x20-\x7e]*$/;

// Most names are plain, and then the order of their characters is that of their bytes.
function byPathBytes({ path: a }: DigestFile, { path: b }: DigestFile): number {
  if (ASCII.test(a) && ASCII.test(b)) return a < b ? -1 : 1;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function listSkill(folder: string): KindEntry[] {
  try {
    return listKinds(folder);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const missing = error instanceof Error && 'path' in error ? path.relative(folder, String(error.path)) : '';
    if (missing.includes('\ufffd')) throw notText(missing, error);
    throw new Fault('MetadataMissing', folder, { cause: error });
  }
}

/** What the file system refuses is said as any other failure: one folder nobody may read must not end a listing. */
function unreadable(folder: string, error: unknown): unknown {
  const code = errorCode(error);
  if (error instanceof Fault || code === undefined) return error;
  const isClosed = code === 'EACCES' || code === 'EPERM';
  return new Fault(isClosed ? 'PermissionDenied' : 'PathBlocked', `${folder} (${code})`, { cause: error });
}

function describe(folder: string, { path: inside, stats }: KindEntry): DigestFile {
  if (stats.isSymbolicLink()) return describeLink(folder, inside);
  if (!stats.isFile()) throw new Fault('PathBlocked', `${inside} is neither a file nor a folder`);
  return { path: inside, ...hashFile(`${folder}/${inside}`, inside) };
}

// A link is part of the skill as a link; what it points to is hashed where it stands.
function describeLink(folder: string, inside: string): DigestFile {
  const link = path.join(folder, inside);
  const target = realPath(link);
  const root = realPath(folder);
  if (target === undefined || root === undefined || !isInside(root, target)) {
    throw new Fault('PathBlocked', `the link ${inside} leads out of the skill folder`);
  }
  const written = readlinkSync(link);
  return { path: inside, size: Buffer.byteLength(written), mode: 'link', sha256: sha256(written) };
}

// One for all files: nothing is allocated for each.
const buffer = Buffer.allocUnsafe(256 * 1024);

function hashFile(file: string, inside: string): Omit<DigestFile, 'path'> {
  const descriptor = openFile(file, inside);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new Fault('PathBlocked', `${inside} is not a regular file`);
    const mode = stats.mode & 0o111 ? 'executable' : 'file';
    return { ...hashContent(descriptor, stats.size), mode };
  } finally {
    closeSync(descriptor);
  }
}

function hashContent(descriptor: number, expected: number): { size: number; sha256: string } {
  const first = fillBuffer(descriptor, expected);
  if (first < buffer.length) return { size: first, sha256: sha256(buffer.subarray(0, first)) };
  const hash = crypto().createHash('sha256');
  let size = 0;
  for (let length = first; length > 0; length = fillBuffer(descriptor)) {
    hash.update(buffer.subarray(0, length));
    size += length;
  }
  return { size, sha256: hash.digest('hex') };
}

/** Up to its end, or to the size it is known to have: then nothing has to be read to see the end. */
function fillBuffer(descriptor: number, expected = Number.POSITIVE_INFINITY): number {
  let length = 0;
  for (let read = -1; read !== 0 && length < buffer.length; length += read) {
    if (length > 0 && length === expected) break;
    read = readSync(descriptor, buffer, length, buffer.length - length, null);
  }
  return length;
}

function openFile(file: string, inside: string): number {
  try {
    return openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (isNotFound(error) && inside.includes('\ufffd')) throw notText(inside, error);
    const changed = isNotFound(error) || errorCode(error) === 'ELOOP';
    throw new Fault(changed ? 'IntegrityMismatch' : 'PermissionDenied', inside, { cause: error });
  }
}

/** A name that is no UTF-8 is read as one that names nothing. */
function notText(inside: string, cause: unknown): Fault {
  return new Fault('PathBlocked', `the name ${inside} is no UTF-8`, { cause });
}
