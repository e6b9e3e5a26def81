// The only way results leave the call's own folder: plain files, limited in number and size, no links on either side.
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  type Stats,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { addFolder, copyFileAtomic, makeFolder, removeEmptyFolder } from '../base/files.ts';
import { isInside, realPath } from '../base/paths.ts';
import { errorCode } from '../base/read-file.ts';
import { findHidden, visible } from '../base/text.ts';

export interface CopyOptions {
  /** The folder the call wrote into; its content is untrusted. */
  readonly from: string;
  /** The parent folder of `from`, where others could swap the path; below it no link is followed. */
  readonly fromRoot?: string;
  readonly to: string;
  /** The user's folder that contains `to`; below it no link is followed. */
  readonly root: string;
  /** These files or folders only, as paths below `from`. */
  readonly only?: readonly string[];
  /** The content of `from` before the call, by relative path: copied only where the file has changed. */
  readonly before?: ReadonlyMap<string, Stats>;
  /** Names that are not copied, such as those that contain a secret. */
  readonly refusesName?: (name: string) => boolean;
  /** Paths below `from` that other tools obey, or would obey once they are there. */
  readonly isGuarded?: (path: string) => boolean;
  /** The names of the variables whose value a file holds, by its path below `from`; such a file is not copied. */
  readonly holds?: (path: string) => readonly string[];
  readonly limits?: CopyLimits;
}

export interface CopyLimits {
  readonly files: number;
  readonly bytes: number;
  readonly depth: number;
}

export type Refusal =
  | 'link'
  | 'hard-link'
  | 'special'
  | 'name'
  | 'guarded'
  | 'variable'
  | 'limit'
  | 'unreadable'
  | 'destination'
  | 'temporary'
  | 'home'
  | 'skill-folder';

export interface CopyReport {
  readonly copied: { path: string; size: number }[];
  readonly refused: NotDelivered[];
}

export interface NotDelivered {
  readonly path: string;
  readonly why: Refusal;
  /** The variables whose value it holds. */
  readonly holds?: readonly string[];
  /** Where a copy lies with the record of the run. */
  readonly kept?: string;
  /** The command after which it would not have been lost. */
  readonly allow?: string;
}

/** More are not told. */
export const REFUSED_LIMIT = 100;

const LIMITS: CopyLimits = { files: 10_000, bytes: 1024 ** 3, depth: 32 };

export function copyOut(options: CopyOptions): CopyReport {
  const copy = new Copy(options);
  if (!existsSync(options.from)) return copy.report;
  using source = openSource(options);
  if (readdirSync(source.at).length === 0) return copy.report;
  using target = openTarget(options.root, options.to);
  copy.folder(source, target, '', 0);
  return copy.report;
}

/** Creates the result folder without following any link below the root. */
export function makeTarget(root: string, to: string): void {
  openTarget(root, to)[Symbol.dispose]();
}

/** A folder held open: names below it cannot be redirected by replacing the folder with a link. */
interface Folder extends Disposable {
  readonly at: string;
}

function openFolder(folder: string): Folder {
  const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  const held = `/proc/self/fd/${descriptor}`;
  return { at: existsSync(held) ? held : folder, [Symbol.dispose]: () => closeSync(descriptor) };
}

function openSource({ from, fromRoot }: CopyOptions): Folder {
  if (fromRoot === undefined) return openFolder(from);
  return walk(fromRoot, from, (parent, name) => unlessTaken(() => openFolder(path.join(parent.at, name))));
}

// Another call may remove empty folders it created; after this many retries it is deliberate.
const ATTEMPTS = 1000;

function openTarget(root: string, to: string): Folder {
  makeFolder(root, 0o755);
  for (let attempt = 1; ; attempt++) {
    try {
      return walk(root, to, enterFolder);
    } catch (error) {
      if (attempt === ATTEMPTS || errorCode(error) !== 'ENOENT') throw error;
    }
  }
}

function walk(root: string, to: string, enter: (parent: Folder, name: string) => Folder | undefined): Folder {
  if (!isInside(root, to)) throw blocked(to);
  let folder = openFolder(realPath(root) ?? root);
  for (const name of path.relative(root, to).split(path.sep).filter(Boolean)) {
    using parent = folder;
    folder = enter(parent, name) ?? raise(blocked(to));
  }
  return folder;
}

// Undefined when the name is taken by something other than a folder; fails when the parent is gone.
function enterFolder(parent: Folder, name: string): Folder | undefined {
  return unlessTaken(() => {
    addFolder(path.join(parent.at, name), 0o755);
    return openFolder(path.join(parent.at, name));
  }, TAKEN);
}

const TAKEN = ['ELOOP', 'ENOTDIR', 'EEXIST', 'EACCES', 'ENXIO'];

function unlessTaken<T>(open: () => T, codes = [...TAKEN, 'ENOENT']): T | undefined {
  try {
    return open();
  } catch (error) {
    if (codes.includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}

class Copy {
  readonly report: CopyReport = { copied: [], refused: [] };
  readonly #limits: CopyLimits;
  readonly #options: CopyOptions;
  #bytes = 0;

  constructor(options: CopyOptions) {
    this.#options = options;
    this.#limits = options.limits ?? LIMITS;
  }

  folder(source: Folder, target: Folder, below: string, depth: number): void {
    for (const name of readdirSync(source.at).sort()) {
      const relative = path.posix.join(below, name);
      if (!this.#isWanted(relative)) continue;
      const refusal = this.#entry(source, target, name, relative, depth);
      if (refusal) this.#refuse(relative, refusal);
      if (refusal === 'limit') return;
    }
  }

  #entry(source: Folder, target: Folder, name: string, relative: string, depth: number): Refusal | undefined {
    const stats = this.#look(path.join(source.at, name));
    if (!stats) return 'unreadable';
    if (findHidden(name).length > 0 || /[\n\r\t\ufffd]/.test(name)) return 'name';
    if (this.#options.refusesName?.(relative)) return 'name';
    if (this.#options.isGuarded?.(relative)) return 'guarded';
    if (stats.isSymbolicLink()) return 'link';
    if (stats.isDirectory()) return this.#subfolder(source, target, name, relative, depth);
    if (!stats.isFile()) return 'special';
    return this.#holdsAny(relative) ? 'variable' : this.#file(source, target, name, relative);
  }

  #subfolder(source: Folder, target: Folder, name: string, relative: string, depth: number): Refusal | undefined {
    if (depth >= this.#limits.depth) return 'limit';
    using inner = unlessTaken(() => openFolder(path.join(source.at, name)));
    if (!inner) return 'unreadable';
    const refused = this.report.refused.length;
    const isNew = !existsSync(path.join(target.at, name));
    using outer = unlessTaken(() => enterFolder(target, name));
    if (!outer) return 'destination';
    this.folder(inner, outer, relative, depth + 1);
    if (isNew && this.report.refused.length > refused) removeEmptyFolder(path.join(target.at, name));
    return undefined;
  }

  #file(source: Folder, target: Folder, name: string, relative: string): Refusal | undefined {
    const descriptor = this.#open(path.join(source.at, name));
    if (descriptor === undefined) return 'unreadable';
    try {
      const stats = fstatSync(descriptor);
      if (!stats.isFile()) return 'special';
      if (stats.nlink > 1) return 'hard-link';
      if (isSame(stats, this.#options.before?.get(relative))) return undefined;
      return this.#copy(descriptor, stats.size, path.join(target.at, name), relative);
    } finally {
      closeSync(descriptor);
    }
  }

  #copy(descriptor: number, size: number, file: string, relative: string): Refusal | undefined {
    const limit = this.#limits.bytes - this.#bytes;
    if (size > limit || this.report.copied.length >= this.#limits.files) return 'limit';
    const there = lstatSync(file, { throwIfNoEntry: false });
    if (there && !there.isFile()) return 'destination';
    if (!copyFileAtomic(descriptor, file, { mode: 0o644, limit })) return 'limit';
    const copied = statSync(file).size;
    this.#bytes += copied;
    this.report.copied.push({ path: relative, size: copied });
    return undefined;
  }

  #holdsAny(relative: string): boolean {
    return (this.#options.holds?.(relative) ?? []).length > 0;
  }

  #look(file: string): Stats | undefined {
    return lstatSync(file, { throwIfNoEntry: false });
  }

  // Non-blocking: a pipe in place of a file must not make us wait for a writer.
  #open(file: string): number | undefined {
    return unlessTaken(() => openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW));
  }

  #isWanted(relative: string): boolean {
    const { only } = this.#options;
    return (
      only === undefined ||
      only.some((name) => isInside(`/${name}`, `/${relative}`) || isInside(`/${relative}`, `/${name}`))
    );
  }

  #refuse(relative: string, why: Refusal): void {
    if (this.report.refused.length >= REFUSED_LIMIT) return;
    const holds = why === 'variable' && { holds: this.#options.holds?.(relative) ?? [] };
    this.report.refused.push({ path: relative, why, ...holds });
  }
}

function isSame(now: Stats, before: Stats | undefined): boolean {
  return (['dev', 'ino', 'mtimeMs', 'size'] as const).every((fact) => now[fact] === before?.[fact]);
}

function blocked(folder: string): Fault {
  const name = visible(folder);
  return new Fault('PathBlocked', {
    en: `${name} is not a plain folder below its root`,
    zh: `${name} 不是根目录下的普通目录`,
  });
}

function raise(fault: Fault): never {
  throw fault;
}
