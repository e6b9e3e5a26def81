// Copies of skill folders by digest: what was approved is what runs, however the folder changes meanwhile.
import { randomInt } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { makeFolder, makeLink, nameFolder, removeTree, setMode, touchFile, writeNewFile } from '../base/files.ts';
import { randomId, sha256 } from '../base/ids.ts';
import { errorCode } from '../base/read-file.ts';
import { visible } from '../base/text.ts';
import { type Digest, digestName } from '../base/value/digest.ts';
import { type DigestFile, digestSkill, type SkillContent, type SkillDigest } from '../skill/digest.ts';

// As an author has them, since modes go along when a script copies its files. The sandbox keeps them from being written.
const FOLDER_MODE = 0o755;
const FILE_MODES = { executable: 0o755, file: 0o644 } as const;

export interface Snapshot {
  readonly digest: Digest;
  readonly folder: string;
  readonly files: readonly DigestFile[];
}

export interface SnapshotOptions {
  /** A folder of our own under home. */
  readonly store: string;
  /** The approved digest; anything else is refused, and with an empty one everything. The folder is read only when no copy exists yet. */
  readonly expectedDigest?: Digest | '';
  /** The snapshot is kept at least this long. */
  readonly holdMs?: number;
  readonly now?: number;
}

export function takeSnapshot(skill: string | SkillContent, options: SnapshotOptions): Snapshot {
  const { store, expectedDigest } = options;
  makeFolder(store);
  const kept = expectedDigest && reuse(expectedDigest, store);
  const snapshot = kept || copyApproved(typeof skill === 'string' ? { folder: skill } : skill, options);
  const now = options.now ?? Date.now();
  hold(leaseOf(snapshot.folder), now + (options.holdMs ?? 0));
  // The store grows only here, so unused snapshots are pruned here.
  if (!kept) tidy({ store, olderThanMs: KEPT_MS, now });
  return snapshot;
}

const HOUR = 3_600_000;
const KEPT_MS = 30 * 24 * HOUR;

/** What cannot be removed now is retried another time; no call fails for it. */
function tidy(options: CleanOptions): void {
  try {
    cleanSnapshots(options);
  } catch {
    return;
  }
}

/** Removes snapshots unused for a while and unfinished copies. Returns how many. */
export function cleanSnapshots({ store, olderThanMs, now = Date.now() }: CleanOptions): number {
  let removed = 0;
  for (const entry of listFolders(store)) {
    const folder = path.join(store, entry);
    const isOurs = /^(?:new|old)-/.test(entry);
    const usedUntil = timeOf(isOurs ? folder : leaseOf(folder)) ?? timeOf(folder) ?? now;
    if (usedUntil + (isOurs ? HOUR : olderThanMs) < now && discard(folder)) removed++;
  }
  return removed;
}

export interface CleanOptions {
  readonly store: string;
  readonly olderThanMs: number;
  readonly now?: number;
}

function copyApproved(skill: SkillContent, { store, expectedDigest }: SnapshotOptions): Snapshot {
  const { folder } = skill;
  const source = digestOf(skill);
  if (expectedDigest !== undefined && source.digest !== expectedDigest) throw changed(folder);
  return (
    reuse(source.digest, store) ?? copy(folder, source, store) ?? reuse(source.digest, store) ?? raise(changed(folder))
  );
}

// Verified by full content once in each process, then by metadata that cannot stay equal after a change.
const verified = new Map<string, { trace: string; files: readonly DigestFile[] }>();

function reuse(digest: Digest, store: string): Snapshot | undefined {
  const folder = folderOf(digest, store);
  const trace = traceOf(folder);
  if (trace === undefined) return undefined;
  const known = verified.get(folder);
  if (known?.trace === trace) return { digest, folder, files: known.files };
  const found = digestOf({ folder });
  if (found.digest !== digest) {
    discard(folder);
    return undefined;
  }
  const opened = openModes(folder, found.files);
  verified.set(folder, { trace: (opened && traceOf(folder)) || trace, files: found.files });
  return { digest, folder, files: found.files };
}

/** Copies of earlier versions were closed by their modes, which went along with what a script copied out of them. */
function openModes(folder: string, files: readonly DigestFile[]): boolean {
  if ((lstatSync(folder).mode & 0o777) === FOLDER_MODE) return false;
  for (const { path: name, mode } of files) if (mode !== 'link') setMode(path.join(folder, name), FILE_MODES[mode]);
  openFolders(folder);
  return true;
}

// Undefined when another process was faster: then its copy is verified and used.
function copy(folder: string, source: SkillDigest, store: string): undefined {
  const staged = path.join(store, `new-${randomId(8)}`);
  try {
    makeFolder(staged);
    for (const file of source.files) copyFile(folder, staged, file);
    openFolders(staged);
    if (!nameFolder(staged, folderOf(source.digest, store))) removeTree(staged);
  } catch (error) {
    removeTree(staged);
    throw error;
  }
}

function copyFile(from: string, to: string, file: DigestFile): void {
  const bytes = readPlain(path.join(from, file.path), file.mode);
  if (bytes === undefined || sha256(bytes) !== file.sha256) throw changed(from, file.path);
  const target = path.join(to, file.path);
  makeFolder(path.dirname(target));
  if (file.mode === 'link') makeLink(target, bytes.toString());
  else writeTimeless(target, bytes, FILE_MODES[file.mode]);
}

function writeTimeless(file: string, bytes: Buffer, mode: number): void {
  writeNewFile(file, bytes);
  // A compiled Python module matches its source by time and size; an unpredictable time matches none.
  if (file.endsWith('.py')) touchFile(file, randomInt(1_000_000_000, 2_000_000_000) * 1000);
  setMode(file, mode);
}

// Undefined when it is no longer the kind of file it was.
function readPlain(file: string, mode: DigestFile['mode']): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    if (mode === 'link') return Buffer.from(readlinkSync(file));
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    return fstatSync(descriptor).isFile() ? readFileSync(descriptor) : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

// A file that vanishes or changes its kind while it is read counts as a change.
function digestOf(skill: SkillContent): SkillDigest {
  const { folder } = skill;
  try {
    return digestSkill(skill);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EINVAL', 'ELOOP'].includes(errorCode(error) ?? '')) throw changed(folder);
    throw error;
  }
}

function openFolders(folder: string): void {
  for (const name of listFolders(folder)) openFolders(path.join(folder, name));
  setMode(folder, FOLDER_MODE);
}

/** Inode, size, times and mode of everything below a folder; undefined where there is none. */
function traceOf(folder: string): string | undefined {
  const stats = lstatSync(folder, { throwIfNoEntry: false, bigint: true });
  if (!stats) return undefined;
  const own = `${stats.dev}:${stats.ino}:${stats.size}:${stats.mode}:${stats.mtimeNs}:${stats.ctimeNs}`;
  if (!stats.isDirectory()) return own;
  return [own, ...readdirSync(folder).map((name) => `${name} ${traceOf(path.join(folder, name))}`)].join('\n');
}

// Renamed first, so that nobody starts from a half-deleted folder.
function discard(folder: string): boolean {
  const away = path.join(path.dirname(folder), `old-${randomId(8)}`);
  verified.delete(folder);
  if (!nameFolder(folder, away)) return false;
  removeTree(away);
  removeTree(leaseOf(folder));
  return true;
}

function folderOf(digest: Digest, store: string): string {
  return path.join(store, digestName(digest));
}

// Its mtime is the lease of the snapshot: in use until then; a longer use elsewhere is kept.
function hold(lease: string, until: number): void {
  if ((timeOf(lease) ?? 0) < until) touchFile(lease, until);
}

function leaseOf(folder: string): string {
  return `${folder}.lease`;
}

function timeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

function listFolders(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
  } catch {
    return [];
  }
}

function changed(folder: string, file = ''): Fault {
  return new Fault('IntegrityMismatch', visible(path.join(folder, file)), { details: { folder } });
}

function raise(fault: Fault): never {
  throw fault;
}
