// What a run left in a copy of the project, taken out of its reach before anybody looks: where no namespace ends every
// process of a call, one of them may still write, and exchange what was shown.
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
} from 'node:fs';
import path from 'node:path';
import {
  addFolder,
  copyOpenFile,
  makeLink,
  removeTree,
  setMode,
  writeFileAtomic,
  writeNewFile,
} from '../base/files.ts';
import { jsonIfValid } from '../base/json.ts';
import { errorCode, readTextIfThere } from '../base/read-file.ts';
import { isListOf, isMapOf, isObject, isText } from '../base/value/shape.ts';
import { openFolder } from '../loader/contained.ts';
import { realFiles } from '../loader/files.ts';
import { kindOf } from './entry.ts';

export interface Sealed {
  /** How each entry was when it was sealed, by its path. */
  readonly stamps: Readonly<Record<string, string>>;
  /** What is no file, folder or link, or may not be read. */
  readonly special: readonly string[];
}

/** Where changed files and all folders lie after they were sealed. */
export function sealedTree(folder: string): string {
  return path.join(folder, 'sealed');
}

export function readSealed(folder: string): Sealed | undefined {
  const stored = jsonIfValid(readTextIfThere(sealFile(folder)) ?? '');
  return isSealed(stored) ? stored : undefined;
}

const isSealed = isObject<Sealed>({ stamps: isMapOf(isText), special: isListOf(isText) });

function sealFile(folder: string): string {
  return path.join(folder, 'sealed.json');
}

export interface SealOrder {
  /** The folder of the layer. */
  readonly folder: string;
  /** The copy that the run has written into. */
  readonly tree: string;
  /** Files like this are the project's own, and not copied once more. */
  isUntouched(below: string, stamp: string): boolean;
  /** Throws a Fault where it is more than a layer may hold. */
  count(bytes: number): void;
}

/** What was sealed before stays where nothing has changed since: its copy is out of the run's reach. */
export function sealAgain(order: SealOrder, before: Sealed): Sealed {
  return isAsSealed(order.tree, before) ? before : sealTree(order);
}

/** Every step is opened from the folder above it, so that no link leads out of the tree, whatever is exchanged meanwhile. */
export function sealTree(order: SealOrder): Sealed {
  const { folder, tree } = order;
  removeTree(sealFile(folder));
  removeTree(sealedTree(folder));
  const taken = new SealedCopy(order);
  addFolder(sealedTree(folder), 0o700);
  taken.folder(tree, sealedTree(folder), '');
  const sealed = { stamps: taken.stamps, special: taken.special };
  writeFileAtomic(sealFile(folder), JSON.stringify(sealed));
  return sealed;
}

export function stampOf(stats: BigIntStats): string {
  const { mode, ino, size, ctimeNs } = stats;
  // What is in a folder is compared name by name.
  return stats.isDirectory() ? `folder:${mode}` : `${mode}:${ino}:${size}:${ctimeNs}`;
}

function isAsSealed(tree: string, { stamps, special }: Sealed): boolean {
  let entries = 0;
  const isSame = (from: string, below: string): boolean => {
    const folder = openFolder(from, realFiles);
    try {
      return readdirSync(folder.at).every((name) => {
        const [at, path] = [`${folder.at}/${name}`, below === '' ? name : `${below}/${name}`];
        const stats = lstatSync(at, { bigint: true });
        entries++;
        return stampOf(stats) === stamps[path] && (!stats.isDirectory() || isSame(at, path));
      });
    } finally {
      folder.close();
    }
  };
  try {
    return special.length === 0 && isSame(tree, '') && entries === Object.keys(stamps).length;
  } catch (error) {
    if (isOutOfReach(error)) return false;
    throw error;
  }
}

/** Gone, exchanged for something else, or closed to us. */
function isOutOfReach(error: unknown): boolean {
  return ['ENOENT', 'ELOOP', 'ENOTDIR', 'EACCES', 'EPERM', 'ENXIO'].includes(errorCode(error) ?? '');
}

class SealedCopy {
  readonly stamps: Record<string, string> = {};
  readonly special: string[] = [];
  readonly #order: SealOrder;

  constructor(order: SealOrder) {
    this.#order = order;
  }

  folder(from: string, to: string, below: string): void {
    const folder = openFolder(from, realFiles);
    try {
      for (const name of readdirSync(folder.at)) this.#entry(folder.at, to, below === '' ? name : `${below}/${name}`);
    } finally {
      folder.close();
    }
  }

  #entry(from: string, to: string, below: string): void {
    const name = path.posix.basename(below);
    const [source, target] = [`${from}/${name}`, path.join(to, name)];
    try {
      const stats = lstatSync(source, { bigint: true });
      this.stamps[below] = stampOf(stats);
      this.#order.count(Number(stats.size));
      this.#copy(stats, source, target, below);
    } catch (error) {
      // It is there, and cannot be applied.
      if (!isOutOfReach(error)) throw error;
      this.stamps[below] ??= 'unreadable';
      this.#mark(target, below);
    }
  }

  #copy(stats: BigIntStats, source: string, target: string, below: string): void {
    switch (kindOf(stats)) {
      case 'folder':
        addFolder(target, 0o700);
        this.folder(source, target, below);
        setMode(target, Number(stats.mode & 0o7777n));
        break;
      case 'link':
        makeLink(target, readlinkSync(source));
        break;
      case 'file':
        if (!this.#order.isUntouched(below, stampOf(stats))) this.#file(source, target, below);
        break;
      case 'special':
        this.#mark(target, below);
    }
  }

  #file(source: string, target: string, below: string): void {
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
    const from = openSync(source, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const stats = fstatSync(from, { bigint: true });
      this.stamps[below] = stampOf(stats);
      if (stats.isFile()) copyOpenFile(from, target, Number(stats.mode & 0o7777n));
      else this.#mark(target, below);
    } finally {
      closeSync(from);
    }
  }

  /** A name is left, so that it is not taken for a deletion. */
  #mark(target: string, below: string): void {
    this.special.push(below);
    removeTree(target);
    writeNewFile(target, '', { mode: 0 });
  }
}
