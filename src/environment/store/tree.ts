// What an environment consists of on disk: every file with its digest, closed to writing, and a trace that no change leaves equal.
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  type Stats,
} from 'node:fs';
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { giveTree, setMode } from '../../base/files.ts';
import { sha256 } from '../../base/ids.ts';
import { isInside, realPath } from '../../base/paths.ts';
import { visible } from '../../base/text.ts';
import { type Digest, makeDigest } from '../../base/value/digest.ts';
import { type BuildBounds, tooLarge } from '../build/bounds.ts';

export interface BuiltFile {
  readonly path: string;
  readonly kind: 'file' | 'executable' | 'link' | 'folder';
  readonly size: number;
  /** Of what is in it; of a link, of what it says. Empty for a folder. */
  readonly sha256: string;
}

/** What leads to the interpreter of this very machine. */
const OF_MACHINE = /^(?:pyvenv\.cfg|bin\/python[\d.]*|first(?:\/.*)?)$/;

/** The same packages have the same digest on every machine, wherever their interpreter lies. */
export function treeDigest(entries: readonly BuiltFile[]): Digest {
  const lines = entries
    .filter((entry) => !OF_MACHINE.test(entry.path))
    .map((entry) => JSON.stringify([entry.path, entry.kind, entry.size, entry.sha256]))
    .sort();
  return makeDigest(lines.join('\n'));
}

const PROGRAM = /^bin\/[^/]+$/;
const LINK_TO_PROGRAM = /(?:^|\/)node_modules\/\.bin\/[^/]+$/;

/** Programs are executable however they were built: the weakest tier lets no installer set a mode. */
export function markPrograms(tree: string): void {
  const root = realPath(tree) ?? tree;
  for (const { below, file } of walk(root)) {
    const target = PROGRAM.test(below) ? file : LINK_TO_PROGRAM.test(below) ? realPath(file) : undefined;
    // Under a second name it may be a file of somebody else; reading the tree refuses it.
    if (target && isInside(root, target) && isAlone(lstatSync(target))) setMode(target, 0o755);
  }
}

function isAlone(stats: Stats): boolean {
  return stats.isFile() && stats.nlink === 1;
}

/** Throws a Fault for what is no file, folder or link that stays inside, and for too much of it. */
export function readTree(
  tree: string,
  { maxFiles, maxBytes }: Pick<BuildBounds, 'maxFiles' | 'maxBytes'>,
): BuiltFile[] {
  const entries: BuiltFile[] = [];
  let bytes = 0;
  for (const { below, file, stats } of walk(tree)) {
    bytes += stats.isFile() ? stats.size : 0;
    if (entries.length >= maxFiles || bytes > maxBytes) throw tooLarge({ maxFiles, maxBytes, buildSeconds: 0 });
    entries.push(readEntry(tree, below, file, stats));
  }
  return entries;
}

function readEntry(tree: string, below: string, file: string, stats: Stats): BuiltFile {
  if (stats.isDirectory()) return { path: below, kind: 'folder', size: 0, sha256: '' };
  if (stats.isSymbolicLink()) {
    const text = readlinkSync(file);
    const target = path.resolve(path.dirname(file), text);
    if (!OF_MACHINE.test(below) && (path.isAbsolute(text) || !isInside(tree, target))) throw oddFile(below);
    return { path: below, kind: 'link', size: text.length, sha256: sha256(text) };
  }
  if (!isAlone(stats)) throw oddFile(below);
  const kind = (stats.mode & 0o100) === 0 ? 'file' : 'executable';
  return { path: below, kind, size: stats.size, sha256: hashFile(file) };
}

function hashFile(file: string): string {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const descriptor = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    if (!fstatSync(descriptor).isFile()) throw oddFile(file);
    const hash = createHash('sha256');
    const block = Buffer.allocUnsafe(256 * 1024);
    for (let read = readSync(descriptor, block); read > 0; read = readSync(descriptor, block))
      hash.update(block.subarray(0, read));
    return hash.digest('hex');
  } finally {
    closeSync(descriptor);
  }
}

function oddFile(below: string): Fault {
  const shown = visible(below);
  return new Fault(
    'PackageRefused',
    {
      en: `${shown} is no plain file, or a link that leads out of the environment`,
      zh: `${shown} 不是普通文件，或是指向环境之外的链接`,
    },
    { details: { file: below } },
  );
}

/** Readable by all, so that calls of root with a user of their own can use it; writable by nobody. */
export function closeTree(tree: string): void {
  if (process.getuid?.() === 0) giveTree(tree, 0);
  const folders = [tree];
  for (const { file, stats } of walk(tree)) {
    if (stats.isDirectory()) folders.push(file);
    else if (stats.isFile()) setMode(file, (stats.mode & 0o100) === 0 ? 0o444 : 0o555);
  }
  for (const folder of folders.reverse()) setMode(folder, 0o555);
}

/** Inode, size, mode and times of everything: none of them stays equal where something was changed. */
export function traceOf(tree: string): string {
  const lines: string[] = [stampOf(lstatSync(tree), '', tree)];
  for (const { below, file, stats } of walk(tree)) lines.push(stampOf(stats, below, file));
  return sha256(lines.join('\n'));
}

function stampOf({ ino, size, mode, mtimeMs, ctimeMs }: Stats, below: string, file: string): string {
  // Whoever moves the environment changes its own folder, and nothing in it.
  const changed = below === '' ? '' : ctimeMs;
  const target = (mode & constants.S_IFMT) === constants.S_IFLNK ? readlinkSync(file) : '';
  return `${below} ${ino} ${size} ${mode} ${mtimeMs} ${changed} ${target}`;
}

interface Walked {
  readonly below: string;
  readonly file: string;
  readonly stats: Stats;
}

/** Folders before what is in them, in the order of their names. */
function* walk(tree: string, folder = ''): Generator<Walked, void> {
  for (const name of readdirSync(path.join(tree, folder)).sort()) {
    const below = folder === '' ? name : `${folder}/${name}`;
    const file = `${tree}/${below}`;
    const stats = lstatSync(file);
    yield { below, file, stats };
    if (stats.isDirectory()) yield* walk(tree, below);
  }
}
