// A layer as a copy of the project, where no overlay can be mounted: bounded, and declared wherever it is used.
import { type BigIntStats, constants, copyFileSync, readdirSync, readlinkSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { makeFolder, makeLink, removeTree, setMode, writeFileAtomic, writeNewFile } from '../base/files.ts';
import { jsonIfValid } from '../base/json.ts';
import { readTextIfThere } from '../base/read-file.ts';
import { absolutePath } from '../base/value/absolute-path.ts';
import { isMapOf, isObject, isText } from '../base/value/shape.ts';
import { copyRecord } from './begun.ts';
import type { LayerBounds } from './bounds.ts';
import { kindOf, statsAt, statsBelow } from './entry.ts';
import { type LayerPlace, layerOf, type ProjectLayer } from './layer.ts';
import { hiddenIn, hiddenPaths, type Mask, planMask, withTargets } from './mask.ts';
import { readSealed, type Sealed, sealAgain, sealedTree, stampOf } from './seal.ts';
import type { LayerAmount } from './watch.ts';

/** Throws a Fault where the project is too large to be copied for every run. */
export function copyProject(place: LayerPlace, why: string): ProjectLayer {
  const { folder, project } = place;
  const { bounds } = place;
  const found = withTargets(project, hiddenIn(place));
  const mask = planMask(project, found, place.own);
  const isOwn = (below: string) => place.own.includes(path.join(project, below));
  const tree = absolutePath(path.join(folder, 'copy'));
  const copied = readCopied(folder) ?? copyTree(place, tree, mask);
  const untouched = (below: string, stamp: string) => stamp === (copied[below]?.copy ?? ABSENT);
  let sealed = readSealed(folder) ?? beforeCalls(copied);
  const hidden = hiddenPaths(mask);
  return layerOf({
    folder,
    mechanism: { kind: 'copy', why },
    shown: { from: tree },
    hidden: [...found, ...place.own],
    trees: {
      project,
      tree: sealedTree(folder),
      isHidden: (below) => hidden.has(below),
      // What appeared in the project since is not the run's doing, nor are mount points of calls in our own state.
      isUntouched: (below) => isOwn(below) || untouched(below, sealed.stamps[below] ?? ABSENT),
      isSpecial: (below) => sealed.special.includes(below),
    },
    live: tree,
    watched: { root: tree, bounds, beside: { files: bounds.copyFiles, bytes: bounds.copyBytes } },
    afterCall: () => {
      const tally = new Tally(withCopy(bounds), wroteTooMuch);
      sealed = sealAgain({ folder, tree, isUntouched: untouched, count: (bytes) => tally.add(bytes) }, sealed);
    },
    namesIn: (below) => namesBelow(below, Object.keys(sealed.stamps)),
    changedSince: (below) => (copied[below]?.original ?? ABSENT) !== stampBelow(project, below),
    close: async () => {},
  });
}

/** What was copied lies in the same folder as what a call writes. */
function withCopy({ copyFiles, copyBytes, layerFiles, layerBytes }: LayerBounds): LayerAmount {
  return { files: copyFiles + layerFiles, bytes: copyBytes + layerBytes };
}

function beforeCalls(copied: Copied): Sealed {
  const stamps = Object.entries(copied).map(([below, { copy }]) => [below, copy]);
  return { stamps: Object.fromEntries(stamps), special: [] };
}

function namesBelow(folder: string, paths: readonly string[]): string[] {
  const start = folder === '' ? '' : `${folder}/`;
  const below = paths.filter((one) => one.startsWith(start)).map((one) => one.slice(start.length));
  return below.filter((one) => one !== '' && !one.includes('/'));
}

/** How each entry was, in the project and in the copy, right after it was copied. */
type Copied = Readonly<Record<string, { readonly original: string; readonly copy: string }>>;

const isRecord = isMapOf(isObject<Copied[string]>({ original: isText, copy: isText }));

/** Written when the copy is complete; of one that was cut off nothing is used. */
function readCopied(folder: string): Copied | undefined {
  const stored = jsonIfValid(readTextIfThere(copyRecord(folder)) ?? '');
  return isRecord(stored) ? stored : undefined;
}

const ABSENT = 'absent';

/** Behind a link on the way nothing of the project is. */
function stampBelow(project: string, below: string): string {
  const stats = statsBelow(project, below);
  return stats ? stampOf(stats) : ABSENT;
}

function stampAt(file: string): string {
  const stats = statsAt(file);
  return stats ? stampOf(stats) : ABSENT;
}

function copyTree({ folder, project, bounds }: LayerPlace, tree: string, mask: Mask): Copied {
  removeTree(tree);
  makeFolder(tree);
  const { copyFiles, copyBytes } = bounds;
  const copy = new TreeCopy(project, tree, mask, new Tally({ files: copyFiles, bytes: copyBytes }, tooLarge));
  copy.folder('');
  writeFileAtomic(copyRecord(folder), JSON.stringify(copy.copied));
  return copy.copied;
}

class TreeCopy {
  readonly copied: Record<string, { original: string; copy: string }> = {};
  readonly #project: string;
  readonly #tree: string;
  readonly #absent: ReadonlySet<string>;
  readonly #denied: ReadonlySet<string>;
  readonly #replaced: Mask['replaced'];
  readonly #tally: Tally;

  constructor(project: string, tree: string, { absent, closed, denied, replaced }: Mask, tally: Tally) {
    this.#tally = tally;
    this.#replaced = replaced;
    this.#project = project;
    this.#tree = tree;
    this.#absent = new Set(absent);
    this.#denied = new Set([...closed, ...denied]);
  }

  folder(below: string): void {
    for (const name of readdirSync(path.join(this.#project, below)))
      this.#entry(below === '' ? name : `${below}/${name}`);
    const stats = statsAt(path.join(this.#project, below));
    if (stats) setMode(path.join(this.#tree, below), Number(stats.mode & 0o7777n));
  }

  #entry(below: string): void {
    const [from, to] = [path.join(this.#project, below), path.join(this.#tree, below)];
    const stats = statsAt(from);
    if (!stats || this.#absent.has(below)) return;
    this.#make(stats, from, to, below);
    this.copied[below] = { original: stampAt(from), copy: stampAt(to) };
  }

  #make(stats: BigIntStats, from: string, to: string, below: string): void {
    const replaced = this.#replaced[below];
    if (replaced !== undefined) {
      writeNewFile(to, replaced, { mode: Number(stats.mode & 0o777n) });
      return;
    }
    if (this.#denied.has(below)) {
      writeNewFile(to, '', { mode: 0 });
      return;
    }
    this.#tally.add(Number(stats.size));
    switch (kindOf(stats)) {
      case 'folder':
        makeFolder(to);
        this.folder(below);
        break;
      case 'link':
        makeLink(to, readlinkSync(from));
        break;
      case 'file':
        copyFileSync(from, to, constants.COPYFILE_FICLONE);
        utimesSync(to, Number(stats.atimeMs) / 1000, Number(stats.mtimeMs) / 1000);
        break;
      case 'special':
    }
  }
}

/** Counts what is copied, and stops where it is too much. */
class Tally {
  readonly #most: LayerAmount;
  readonly #tooMuch: () => Fault;
  #bytes = 0;
  #files = 0;

  constructor(most: LayerAmount, tooMuch: () => Fault) {
    this.#most = most;
    this.#tooMuch = tooMuch;
  }

  add(bytes: number): void {
    this.#files++;
    this.#bytes += bytes;
    if (this.#files > this.#most.files || this.#bytes > this.#most.bytes) throw this.#tooMuch();
  }
}

function tooLarge(): Fault {
  return new Fault(
    'WorkspaceUnavailable',
    { en: 'the project is too large to be copied for a run', zh: '项目过大，无法为运行复制' },
    {
      hint: {
        en: 'Leave folders out (workspace.leave_out), or raise limits.copy_files and limits.copy_mib in your own settings. With user namespaces no copy is needed; `skillwright doctor` says what this machine lacks.',
        zh: '可将目录排除在外（workspace.leave_out），或在用户配置中提高 limits.copy_files 与 limits.copy_mib。支持用户命名空间的机器无需复制；`skillwright doctor` 说明此机器缺少什么。',
      },
    },
  );
}

function wroteTooMuch(): Fault {
  return new Fault('LIMIT_LAYER_SIZE', { en: 'what the call left', zh: '调用留下的内容' });
}
