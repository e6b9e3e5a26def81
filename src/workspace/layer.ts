// The layer of one run: what its calls see in place of the project and write into; on disk until somebody decides about it.
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { giveFile, makeFolder, removeEmptyFolder, removeTree, writeFileAtomic } from '../base/files.ts';
import type { Text } from '../base/language.ts';
import { errorCode, isNotFound, namesIfThere, readTextIfThere } from '../base/read-file.ts';
import { visible } from '../base/text.ts';
import type { AbsolutePath } from '../base/value/absolute-path.ts';
import type { WriteReach } from '../policy/grant/write-reach.ts';
import type { ShownLayer } from '../process/order.ts';
import { type AllowedAs, openAllowed } from './allowed.ts';
import { openAuthors } from './authors.ts';
import { callMark } from './begun.ts';
import type { LayerBounds } from './bounds.ts';
import { type ChangeSet, changeSetOf, type FileChange } from './change.ts';
import { type ComparedTrees, compareTrees } from './compare.ts';
import { statsBelow } from './entry.ts';
import { type MadeFolders, openMadeFolders } from './made-folders.ts';
import { openPermits } from './permits.ts';
import { openTouched, sinceTouched } from './touched.ts';
import { inProject, isReachable } from './transaction/project-tree.ts';
import { type LayerVariables, openVariables } from './variables.ts';
import { type LayerWatch, type WatchedBeside, type WatchOrder, watchedWith, watchLayer } from './watch.ts';

export interface LayerPlace {
  /** A private folder of our own, for this layer alone. */
  readonly folder: AbsolutePath;
  readonly project: AbsolutePath;
  /** Our own state, where it lies inside the project. */
  readonly own: readonly string[];
  readonly bounds: LayerBounds;
  /** A file of our own in which is remembered what the project has hidden. */
  readonly memory?: string;
  /** A folder of our own on the same disk for layers in which nothing was left. */
  readonly spares?: string;
}

/** `copy`: of the whole project, with the reason why it is no overlay. */
export type Mechanism = { readonly kind: 'overlay' } | { readonly kind: 'copy'; readonly why: string };

export interface ProjectLayer {
  readonly mechanism: Mechanism;
  /** What a call is shown in place of the project. */
  readonly shown: ShownLayer;
  /** Absolute paths in the project that calls do not see. */
  readonly hidden: readonly string[];
  /** What differs from the project, as the layer found it. */
  changes(): ChangeSet;
  /** Before a call: if it is cut off, whoever opens the layer next knows since when the project may have changed. */
  begin(since: number): void;
  /** After a call that began at `since`: what it touched first is remembered as it was, and `by` whose code it was left. */
  remember(since: number, by?: string): void;
  /** The project has these by now: what later calls make of them is no conflict. */
  applied(changes: readonly FileChange[]): void;
  /** Files that anybody but this code has left in the layer. */
  leftByOthers(by: string): FileChange[];
  /** What this code has left in the layer, and nobody changed since. */
  leftBy(by: string): FileChange[];
  /** A call has written too much: what it left is not looked at. */
  isTooMuch(): boolean;
  /** While a call runs: its signal is aborted where the call writes too much, and what it wrote is not looked at then. */
  watch(beside?: WatchedBeside): LayerWatch;
  /** The same for another folder that the call writes into: the layer stays as it is. */
  watchBeside(folder: string, where: Text): LayerWatch;
  /** How much calls may write. */
  readonly bounds: WatchOrder['bounds'];
  /** The last call was cut off: what it left may be half done. */
  readonly wasCutOff: boolean;
  /** Before a call: which of its changes are allowed already. What every call of the run was allowed counts. */
  permit(reach: WriteReach): void;
  permitted(): WriteReach;
  /** Of these, what somebody changed in the project while the call that touched it first was running. */
  raced(changes: readonly FileChange[]): string[];
  /** What was allowed file by file, and is still as it was then. */
  allow(paths: readonly string[], as: AllowedAs): void;
  allowed(change: FileChange): AllowedAs | undefined;
  /** A folder of our own for the homes of its calls; it goes with the layer. */
  readonly homes: string;
  /** What calls of the run were given, and which results hold it. */
  readonly variables: LayerVariables;
  /** The names of the variables whose value this very result holds. */
  holds(change: FileChange): readonly string[];
  /** Where tools of this process see and change the files of the run. */
  readonly tree: { readonly at: string; readonly user?: number | undefined };
  /** The names in a folder, as the run left it. */
  readonly names: (folder: string) => readonly string[];
  /** Makes a folder that calls can write into, with the folders above it. Returns those that were missing, the last first. */
  addFolder(path: string): string[];
  /** Removes folders in which nothing is. */
  removeEmpty(paths: readonly string[]): void;
  /** Where the content of a changed file lies, as this process reads it. */
  content(path: string): string;
  /** Takes away what has such a path, or leads to one, new or changed. */
  withhold(isRefused: (path: string) => boolean): void;
  /** Reads a small file that a call has left and takes it away; undefined where there is nothing in it. */
  take(path: string): string | undefined;
  /** Unmounts; what was written stays. */
  close(): Promise<void>;
}

/** What a mechanism has made. */
export interface LayerParts extends Pick<ProjectLayer, 'mechanism' | 'shown' | 'hidden' | 'close'> {
  readonly folder: AbsolutePath;
  readonly trees: ComparedTrees;
  /** What a call writes, as it lies on disk, and how much that may be. */
  readonly watched: Omit<WatchOrder, 'onExceeded'>;
  /** As root: whom everything in the layer belongs to. */
  readonly user?: number | undefined;
  /** Where calls write, if that is not the tree that is compared. */
  readonly live?: string;
  /** Takes what a call left to where it is compared. */
  afterCall?(): void;
  /** The names in a folder as the run left it, where the tree does not have them all. */
  namesIn?(folder: string): readonly string[];
  /** Whether the project's own file changed after that time. */
  changedSince(path: string, time: number): boolean;
}

export function layerOf(parts: LayerParts): ProjectLayer {
  const { folder, trees, user, changedSince, mechanism, shown, hidden, close } = parts;
  const { tree } = trees;
  const { live = tree } = parts;
  const touched = openTouched(folder);
  const made = openMadeFolders(folder);
  const isMadeHere = ({ path: below, before, after }: FileChange) =>
    made.has(below) && before === undefined && after?.kind === 'folder';
  let exceeded: Fault | undefined;
  const withheld = new Set<string>();
  const compare = () => {
    if (exceeded) throw exceeded;
    return compareTrees(trees).filter(({ path: below }) => !withheld.has(below));
  };
  const authors = openAuthors(folder);
  const remember = (since: number, by = '') => {
    if (!exceeded) parts.afterCall?.();
    const changes = compare().filter((change) => !isMadeHere(change));
    touched.add(changes, (below) => changedSince(below, since));
    authors.note(changes, by);
    removeTree(callMark(folder));
  };
  const remove = (below: string) => {
    for (const root of new Set([live, tree])) ignoreConflict(() => inProject(root, below, ({ at }) => removeTree(at)));
  };
  const permits = openPermits(folder);
  const allowed = openAllowed(folder);
  const variables = openVariables(folder);
  const onExceeded = (fault: Fault) => {
    exceeded = fault;
  };
  const removeEmpty = (paths: readonly string[]) => {
    for (const root of new Set([live, tree])) removeEmptyBelow(root, paths);
    made.forget();
  };
  if (made.left.length > 0) removeEmpty(made.left);
  const began = Number(readTextIfThere(callMark(folder)) ?? Number.NaN);
  const wasCutOff = !Number.isNaN(began);
  if (wasCutOff) {
    remember(began);
    noteUnseen(variables, compare);
  }
  return {
    wasCutOff,
    tree: { at: live, user },
    homes: path.join(folder, 'homes'),
    allow: (paths, as) => {
      // Where a process of an earlier call may live on, it may have exchanged the file before it was sealed.
      if (mechanism.kind === 'copy' && permits.isUsed()) return;
      const changed = compare();
      const isNamed = ({ path: below }: FileChange) =>
        paths.some((one) => one === below || one.startsWith(`${below}/`));
      allowed.add(changed.filter(isNamed), as);
    },
    allowed: allowed.find,
    variables,
    holds: variables.heldIn,
    permit: permits.add,
    permitted: permits.reach,
    begin: (since) => writeFileAtomic(callMark(folder), String(since)),
    isTooMuch: () => exceeded !== undefined,
    watch: (beside) => watchLayer({ ...watchedWith(parts.watched, beside), onExceeded }),
    watchBeside: (root, where) => watchLayer({ root, bounds: parts.watched.bounds, where }),
    bounds: parts.watched.bounds,
    mechanism,
    shown,
    hidden,
    close,
    changes: () => changeSetOf(sinceTouched(compare(), touched)),
    remember,
    applied: touched.applied,
    leftByOthers: (by) => authors.others(compare(), by),
    leftBy: (by) => authors.of(compare, by),
    raced: (changes) => changes.flatMap(({ path: below }) => (touched.entries[below]?.raced ? [below] : [])),
    names: parts.namesIn ?? ((below) => namesBelow(tree, below)),
    addFolder: (below) => addMissing(below, live, user, made),
    removeEmpty,
    content: (below) => path.join(tree, below),
    withhold: (isRefused) => {
      const refused = compare().filter(
        ({ path: below, after }) => after && [below, after.target ?? ''].some(isRefused),
      );
      for (const { path: below } of refused) {
        withheld.add(below);
        // Under a name that is never applied it stays, and is not told.
        if (isReachable(below)) remove(below);
      }
    },
    take: (below) => {
      const left = ignoreConflict(() => inProject(tree, below, ({ at }) => readSmall(at)));
      if (left !== undefined) remove(below);
      return left === '' ? undefined : left;
    },
  };
}

/** Reached step by step: the run may have put a link in the way, or closed a folder above. */
function removeEmptyBelow(root: string, paths: readonly string[]): void {
  for (const below of paths)
    ignoreConflict(() => inProject(root, below, ({ at }) => removeEmptyFolder(at)), ['EACCES', 'EPERM']);
}

/** Nobody has looked at what a call left that was cut off: its files may hold any variable. */
function noteUnseen(variables: LayerVariables, compare: () => readonly FileChange[]): void {
  const names = variables.names();
  if (names.length === 0) return;
  variables.note(
    compare()
      .filter(variables.isOpen)
      .map((change) => ({ change, names })),
  );
}

function ignoreConflict<Result>(work: () => Result, also: readonly string[] = []): Result | undefined {
  try {
    return work();
  } catch (error) {
    const isConflict = error instanceof Fault && error.type === 'Conflict';
    if (!isNotFound(error) && !isConflict && !also.includes(errorCode(error) ?? '')) throw error;
    return undefined;
  }
}

const SMALL = 1024 * 1024;

function readPart(descriptor: number, length: number): string {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(descriptor, bytes)).toString('utf8');
}

/** Undefined for what is no plain file. What is longer is cut off: nobody wants to read it. */
function readSmall(at: string): string | undefined {
  const descriptor = openSync(at, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return undefined;
    return readPart(descriptor, Math.min(stats.size, SMALL));
  } finally {
    closeSync(descriptor);
  }
}

/** None where something else than a folder has that name, or stands above it. */
function namesBelow(tree: string, below: string): string[] {
  if (below === '') return namesIfThere(tree);
  return statsBelow(tree, below)?.isDirectory() ? namesIfThere(path.join(tree, below)) : [];
}

/** Throws a Fault where something else stands in the way: behind a link lies another place than was meant. */
function isMissing(at: string, folder: string): boolean {
  const stats = lstatSync(at, { throwIfNoEntry: false });
  if (!stats || stats.isDirectory()) return !stats;
  const shown = visible(folder);
  throw new Fault('PathBlocked', { en: `${shown} is no folder`, zh: `${shown} 不是目录` });
}

/** Noted before they are made. */
function addMissing(below: string, live: string, user: number | undefined, made: MadeFolders): string[] {
  const missing = missingFolders(live, below);
  made.add(missing);
  for (const folder of missing) makeFor(path.join(live, folder), user);
  return missing.reverse();
}

/** The outermost first. */
function missingFolders(tree: string, below: string): string[] {
  const steps = below.split('/');
  const above = steps.map((_, index) => steps.slice(0, index + 1).join('/'));
  return above.filter((folder) => isMissing(path.join(tree, folder), folder));
}

function makeFor(folder: string, user: number | undefined): void {
  makeFolder(folder, 0o755);
  if (user !== undefined) giveFile(folder, user, user);
}
