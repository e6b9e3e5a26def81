// Takes what a call wrote into the folder of its skill into the layer of the run, at the skill's own path in the project.
import { closeSync, constants, lstatSync, openSync, type Stats } from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { addFolder, copyOpenFile, giveFile, makeLink, removeTree, setMode } from '../base/files.ts';
import { errorCode, isNotFound } from '../base/read-file.ts';
import type { FileChange } from './change.ts';
import type { ProjectLayer } from './layer.ts';
import type { SkillWrites } from './skill-writes.ts';
import { inProject } from './transaction/project-tree.ts';

/** `at` is the path of the skill below the project. Returns what could not be taken: what is no file, or has no place there. */
export function takeWrites({ changes, tree }: SkillWrites, at: string, layer: Pick<ProjectLayer, 'tree'>): string[] {
  const { at: root, user } = layer.tree;
  return changes.flatMap((change) => {
    const [from, below] = [path.join(tree, change.path), `${at}/${change.path}`];
    const isTaken = tryIn(() => inProject(root, below, (place) => put(change, from, place.at, user)));
    return isTaken ? [] : [change.path];
  });
}

/** Data that earlier calls left in the skill is there for the next one, in its copy. What has no place in it is left out. */
export function bringWrites(changes: readonly FileChange[], contentOf: (below: string) => string, copy: string): void {
  for (const { path: below, after } of changes) {
    if (after?.kind !== 'file') continue;
    tryIn(() => {
      makeFoldersAbove(below, copy);
      return inProject(copy, below, ({ at }) => putFile(contentOf(below), at, after.mode));
    });
  }
}

function makeFoldersAbove(below: string, copy: string): void {
  const steps = below.split('/').slice(0, -1);
  for (const [index] of steps.entries())
    inProject(copy, steps.slice(0, index + 1).join('/'), ({ at }) => addFolder(at, 0o755));
}

/** False where something stands in the way, or the name is none that can be reached. */
function tryIn(work: () => boolean): boolean {
  try {
    return work();
  } catch (error) {
    const isInTheWay = error instanceof Fault && ['Conflict', 'PathBlocked'].includes(error.type);
    const codes = ['EACCES', 'EPERM', 'ENOTDIR', 'ELOOP', 'EEXIST', 'EBUSY', 'ENXIO', 'EXDEV'];
    if (!isInTheWay && !isNotFound(error) && !codes.includes(errorCode(error) ?? '')) throw error;
    return false;
  }
}

function put({ before, after }: FileChange, from: string, at: string, user: number | undefined): boolean {
  const there = lstatSync(at, { throwIfNoEntry: false });
  switch (after?.kind) {
    case 'folder':
      putFolder(there, at, after.mode);
      break;
    case 'link':
      removeTree(at);
      makeLink(at, after.target ?? '');
      break;
    case 'file':
      // A snapshot has no modes but these two; the file of the project keeps its own.
      putFile(from, at, there?.isFile() && before?.mode === after.mode ? there.mode & 0o7777 : after.mode);
      break;
    case 'special':
      return false;
    case undefined:
      removeTree(at);
      return true;
  }
  if (user !== undefined) giveFile(at, user, user);
  return true;
}

function putFolder(there: Stats | undefined, at: string, mode: number): void {
  if (!there?.isDirectory()) {
    removeTree(at);
    addFolder(at, mode);
  }
  setMode(at, mode);
}

function putFile(from: string, at: string, mode: number): boolean {
  const descriptor = openSync(from, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    removeTree(at);
    copyOpenFile(descriptor, at, mode);
    return true;
  } finally {
    closeSync(descriptor);
  }
}
