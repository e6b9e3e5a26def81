// The layer of one run: what its calls see in place of the project and write into; on disk until somebody decides about it.
import { statSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { giveFile, makeFolder, removeEmptyFolder, removeTree, writeFileAtomic } from '../base/files.ts';
import { isNotFound, namesIfThere, readTextIfThere } from '../base/read-file.ts';
import type { AbsolutePath } from '../base/value/absolute-path.ts';
import type { ShownLayer } from '../process/order.ts';
import { type ChangeSet, changeSetOf, type FileChange } from './change.ts';
import { type ComparedTrees, compareTrees } from './compare.ts';
import { openTouched, sinceTouched } from './touched.ts';
import { inProject } from './transaction/project-tree.ts';

export interface LayerPlace {
  /** A private folder of our own, for this layer alone. */
  readonly folder: AbsolutePath;
  readonly project: AbsolutePath;
  /** Our own state, where it lies inside the project. */
  readonly own: readonly string[];
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
  /** After a call that began at `since`: what it touched first is remembered as it was. */
  remember(since: number): void;
  /** The last call was cut off: what it left may be half done. */
  readonly wasCutOff: boolean;
  /** Of these, what somebody changed in the project while the call that touched it first was running. */
  raced(changes: readonly FileChange[]): string[];
  /** The names in a folder, as the run left it. */
  readonly names: (folder: string) => readonly string[];
  /** Makes a folder that calls can write into, with the folders above it. Returns those that were missing, the last first. */
  addFolder(path: string): string[];
  /** Removes folders in which nothing is. */
  removeEmpty(paths: readonly string[]): void;
  /** Where the content of a changed file lies, as this process reads it. */
  content(path: string): string;
  /** Unmounts; what was written stays. */
  close(): Promise<void>;
}

/** What a mechanism has made. */
export interface LayerParts extends Pick<ProjectLayer, 'mechanism' | 'shown' | 'hidden' | 'close'> {
  readonly folder: AbsolutePath;
  readonly trees: ComparedTrees;
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
  const remember = (since: number) => {
    parts.afterCall?.();
    touched.add(compareTrees(trees), (below) => changedSince(below, since));
    removeTree(callMark(folder));
  };
  const began = Number(readTextIfThere(callMark(folder)) ?? Number.NaN);
  const wasCutOff = !Number.isNaN(began);
  if (wasCutOff) remember(began);
  return {
    wasCutOff,
    begin: (since) => writeFileAtomic(callMark(folder), String(since), { durable: true }),
    mechanism,
    shown,
    hidden,
    close,
    changes: () => changeSetOf(sinceTouched(compareTrees(trees), touched)),
    remember,
    raced: (changes) => changes.flatMap(({ path: below }) => (touched.entries[below]?.raced ? [below] : [])),
    names: parts.namesIn ?? ((below) => namesIfThere(path.join(tree, below))),
    addFolder: (below) => addFolders(live, below, user),
    removeEmpty: (paths) => {
      // Reached step by step: the run may have put a link in the way.
      for (const root of new Set([live, tree]))
        for (const below of paths) ignoreConflict(() => inProject(root, below, ({ at }) => removeEmptyFolder(at)));
    },
    content: (below) => path.join(tree, below),
  };
}

function callMark(folder: string): string {
  return path.join(folder, 'call');
}

function ignoreConflict(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!isNotFound(error) && (!(error instanceof Fault) || error.type !== 'Conflict')) throw error;
  }
}

function addFolders(tree: string, below: string, user: number | undefined): string[] {
  const steps = below.split('/');
  const above = steps.map((_, index) => steps.slice(0, index + 1).join('/'));
  const missing = above.filter((folder) => !statSync(path.join(tree, folder), { throwIfNoEntry: false }));
  for (const folder of missing) {
    makeFolder(path.join(tree, folder), 0o755);
    if (user !== undefined) giveFile(path.join(tree, folder), user, user);
  }
  return missing.reverse();
}
