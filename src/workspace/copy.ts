// A layer as a copy of the project, where no overlay can be mounted: bounded, and declared wherever it is used.
import { constants, copyFileSync, existsSync, readdirSync, readlinkSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { makeFolder, makeLink, removeTree, setMode, writeFileAtomic, writeNewFile } from '../base/files.ts';
import { findHiddenFiles } from '../base/hidden-files.ts';
import { jsonIfValid } from '../base/json.ts';
import { readTextIfThere } from '../base/read-file.ts';
import { absolutePath } from '../base/value/absolute-path.ts';
import { isMapOf, isObject, isText } from '../base/value/shape.ts';
import { kindOf, statsAt } from './entry.ts';
import { type LayerPlace, layerOf, type ProjectLayer } from './layer.ts';
import { hiddenPaths, type Mask, planMask, withTargets } from './mask.ts';
import { readSealed, type Sealed, sealedTree, sealTree, stampOf } from './seal.ts';

interface CopyBounds {
  readonly files: number;
  readonly bytes: number;
}

/** A copy is made before every run: beyond this nobody would wait for it. */
const BOUNDS: CopyBounds = { files: 20_000, bytes: 1024 ** 3 };

/** Throws a Fault where the project is too large to be copied for every run. */
export function copyProject(place: LayerPlace, why: string): ProjectLayer {
  const { folder, project } = place;
  const found = withTargets(project, findHiddenFiles(project));
  const mask = planMask(project, found, place.own);
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
      // What appeared in the project since is not the run's doing.
      isUntouched: (below) => untouched(below, sealed.stamps[below] ?? ABSENT),
      isSpecial: (below) => sealed.special.includes(below),
    },
    live: tree,
    afterCall: () => {
      const tally = new Tally();
      sealed = sealTree({ folder, tree, isUntouched: untouched, count: (bytes) => tally.add(bytes) });
    },
    namesIn: (below) => namesBelow(below, Object.keys(sealed.stamps)),
    changedSince: (below) => (copied[below]?.original ?? ABSENT) !== stampAt(path.join(project, below)),
    close: async () => {},
  });
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

/** Whether a complete copy lies in the folder of a layer. */
export function isCopied(folder: string): boolean {
  return existsSync(recordFile(folder));
}

/** How each entry was, in the project and in the copy, right after it was copied. */
type Copied = Readonly<Record<string, { readonly original: string; readonly copy: string }>>;

const isRecord = isMapOf(isObject<Copied[string]>({ original: isText, copy: isText }));

function recordFile(folder: string): string {
  return path.join(folder, 'copied.json');
}

/** Written when the copy is complete; of one that was cut off nothing is used. */
function readCopied(folder: string): Copied | undefined {
  const stored = jsonIfValid(readTextIfThere(recordFile(folder)) ?? '');
  return isRecord(stored) ? stored : undefined;
}

const ABSENT = 'absent';

function stampAt(file: string): string {
  const stats = statsAt(file);
  return stats ? stampOf(stats) : ABSENT;
}

function copyTree({ folder, project }: LayerPlace, tree: string, mask: Mask): Copied {
  removeTree(tree);
  makeFolder(tree);
  const copy = new TreeCopy(project, tree, mask);
  copy.folder('');
  writeFileAtomic(recordFile(folder), JSON.stringify(copy.copied));
  return copy.copied;
}

class TreeCopy {
  readonly copied: Record<string, { original: string; copy: string }> = {};
  readonly #project: string;
  readonly #tree: string;
  readonly #absent: ReadonlySet<string>;
  readonly #denied: ReadonlySet<string>;
  readonly #replaced: Mask['replaced'];
  readonly #tally = new Tally();

  constructor(project: string, tree: string, { absent, closed, denied, replaced }: Mask) {
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
        return;
    }
    this.copied[below] = { original: stampAt(from), copy: stampAt(to) };
  }
}

/** Counts what is copied, and stops where it is too much. */
class Tally {
  #bytes = 0;
  #files = 0;

  add(bytes: number): void {
    this.#files++;
    this.#bytes += bytes;
    if (this.#files <= BOUNDS.files && this.#bytes <= BOUNDS.bytes) return;
    throw new Fault(
      'WorkspaceUnavailable',
      { en: 'the project is too large to be copied for a run', zh: '项目过大，无法为运行复制' },
      {
        hint: {
          en: 'On a machine with user namespaces no copy is needed; `skillwright doctor` says what this one lacks.',
          zh: '支持用户命名空间的机器无需复制；`skillwright doctor` 说明此机器缺少什么。',
        },
      },
    );
  }
}
