// One guard for every file tool: the project and the output folder are the world, and nothing else can be reached.
import { constants, lstatSync, openSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { addFolder, giveFile, makeFolder } from '../../base/files.ts';
import { isHiddenIn } from '../../base/hidden-files.ts';
import type { Text } from '../../base/language.ts';
import { isInside, realPath, realTarget } from '../../base/paths.ts';
import { errorCode } from '../../base/read-file.ts';
import { visible } from '../../base/text.ts';
import { type OpenFolder, openFolder, quote, splitPath } from '../../loader/contained.ts';
import { realFiles } from '../../loader/files.ts';

export interface World {
  /** Absolute; paths that are not absolute start here. */
  readonly project: string;
  /** Where the files of the project lie for this call, if not in the project itself: the layer of a run. */
  readonly tree?: WorldTree | undefined;
  /** Absolute; may lie outside the project. */
  readonly outputFolder: string;
  /** Skillwright's own files, judged by their real path. */
  readonly isOwnState: (file: string) => boolean;
}

export interface WorldTree {
  readonly at: string;
  /** Whom what is made there belongs to, if not to us. */
  readonly user?: number | undefined;
}

/** A real folder and the steps below it; the steps are names, never links once they have been walked. */
export interface GuardedPath {
  readonly root: string;
  readonly steps: readonly string[];
  /** As it is shown: below the project, else absolute. */
  readonly path: string;
}

export interface OpenParent {
  /** A path that reaches the very folder the file is in. */
  readonly at: string;
  readonly name: string;
  readonly path: string;
  /** Whom a new file belongs to, if not to us. */
  readonly user?: number | undefined;
  close(): void;
}

const LINK_LIMIT = 8;
/** No link is followed, and a fifo without a writer does not hold us up. */
export const FILE_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** For reading. A link is followed when it leads to another place of the world, which is then judged as such. */
export function openFile(world: World, given: string): { descriptor: number; path: string } {
  const { opened, place } = openPlace(world, given, (at) => openSync(at, FILE_FLAGS));
  return { descriptor: opened, path: place.path };
}

/** For listing; `.` is the project. */
export function openListing(world: World, given: string): { folder: OpenFolder; place: GuardedPath } {
  const { opened, place } = openPlace(world, given, (at) => openFolder(at, realFiles));
  return { folder: opened, place };
}

/** For changing what has that name. No link is followed, not even inside the project. */
export function openParent(world: World, given: string, { create = false } = {}): OpenParent {
  const place = locate(world, given);
  judge(world, place);
  judgeChange(place);
  const name = place.steps.at(-1);
  if (name === undefined) throw blocked(place.path, { en: 'is a folder', zh: '是目录' });
  return explained(place.path, () => {
    const user = place.root === world.tree?.at ? world.tree.user : undefined;
    const folder = enter(place.root, place.steps.slice(0, -1), create && { user });
    return { ...folder, name, path: place.path, user };
  });
}

/** Why no tool may read this path, or change what is there; nothing is touched to find out. */
export function refusalOf(world: World, given: string, isChange: boolean): Text | undefined {
  try {
    const place = locate(world, given);
    judge(world, place);
    if (isChange) judgeChange(place);
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error.detail;
    throw error;
  }
}

/** Is this place hidden from the tools? For what is found in a listing. */
export function isClosed(world: World, { root, steps }: Pick<GuardedPath, 'root' | 'steps'>): boolean {
  const real = root === world.tree?.at ? realProject(world) : root;
  return isHiddenIn(real, steps.join('/')) || world.isOwnState(path.join(real, ...steps));
}

/** What a failed system call on that path means to whoever named it. */
export function explained<Result>(shown: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    throw explain(error, shown);
  }
}

export function blocked(shown: string, reason: Text): Fault {
  return new Fault('PathBlocked', quote(shown, reason));
}

function openPlace<Opened>(
  world: World,
  given: string,
  open: (at: string) => Opened,
): { opened: Opened; place: GuardedPath } {
  let place = locate(world, given);
  for (let links = 0; links <= LINK_LIMIT; links++) {
    judge(world, place);
    const { root, steps, path: shown } = place;
    const found = explained(shown, () => openOrFollow(root, steps, open));
    if ('opened' in found) return { opened: found.opened, place };
    place = locateAbsolute(world, found.target, given);
  }
  throw blocked(given, { en: 'goes through too many links', zh: '经过过多链接' });
}

type Found<Opened> = { opened: Opened } | { target: string };

// A link is read before anything is opened, and an open never follows one: whatever is swapped in between is refused.
function openOrFollow<Opened>(root: string, steps: readonly string[], open: (at: string) => Opened): Found<Opened> {
  if (steps.length === 0) return { opened: open(root) };
  let folder = openFolder(root, realFiles);
  try {
    for (const [index, name] of steps.entries()) {
      const at = `${folder.at}/${name}`;
      const link = readLink(at);
      if (link !== undefined) {
        const here = path.join(root, ...steps.slice(0, index));
        return { target: path.resolve(here, link, ...steps.slice(index + 1)) };
      }
      if (index === steps.length - 1) return { opened: open(at) };
      const next = openFolder(at, realFiles);
      folder.close();
      folder = next;
    }
    throw new Error('a path has a last step');
  } finally {
    folder.close();
  }
}

function enter(root: string, steps: readonly string[], create: false | Pick<WorldTree, 'user'>): OpenFolder {
  if (create) makeFolder(root, 0o755);
  let folder = openFolder(root, realFiles);
  for (const name of steps) {
    const parent = folder;
    try {
      const isNew = create && addFolder(`${parent.at}/${name}`, 0o755);
      if (isNew && create.user !== undefined) giveFile(`${parent.at}/${name}`, create.user, create.user);
      folder = openFolder(`${parent.at}/${name}`, realFiles);
    } finally {
      parent.close();
    }
  }
  return folder;
}

function locate(world: World, given: string): GuardedPath {
  if (path.isAbsolute(given)) return locateAbsolute(world, given, given);
  return placeAt(world, rootOf(world), given === '.' || given === './' ? [] : splitPath(given));
}

function locateAbsolute(world: World, absolute: string, given: string): GuardedPath {
  for (const folder of rootsOf(world)) {
    const root = folder === world.project ? rootOf(world) : (realPath(folder) ?? folder);
    const form = [folder, realPath(folder) ?? folder, root].find((candidate) => isInside(candidate, absolute));
    if (form === undefined) continue;
    const below = path.relative(form, absolute);
    return placeAt(world, root, below === '' ? [] : splitPath(below));
  }
  throw blocked(given, { en: 'is outside the project', zh: '在项目之外' });
}

function placeAt(world: World, root: string, steps: readonly string[]): GuardedPath {
  const isProject = root === rootOf(world);
  return { root, steps, path: isProject ? steps.join('/') || '.' : path.join(root, ...steps) };
}

function realProject({ project }: World): string {
  return realPath(project) ?? project;
}

/** Opened step by step from here on: what leads out of a layer by a link is not followed. */
export function rootOf(world: World): string {
  return world.tree?.at ?? realProject(world);
}

/** Where a path leads, as the project names it: links are followed as far as there are any. */
export function whereItLeads(world: World, given: string): string {
  if (!world.tree) return realTarget(path.resolve(world.project, given));
  const project = realProject(world);
  const named = path.resolve(world.project, given);
  const real = isInside(world.project, named) ? path.join(project, path.relative(world.project, named)) : named;
  return followLinks(world.tree.at, project, real, LINK_LIMIT);
}

function followLinks(tree: string, project: string, file: string, left: number): string {
  if (!isInside(project, file)) return file;
  const steps = path.relative(project, file).split('/');
  for (const at of steps.keys()) {
    const link = linkAt(path.join(tree, ...steps.slice(0, at + 1)));
    if (link === undefined) continue;
    if (left === 0) return file;
    const target = path.resolve(project, ...steps.slice(0, at), link, ...steps.slice(at + 1));
    return followLinks(tree, project, target, left - 1);
  }
  return file;
}

function linkAt(at: string): string | undefined {
  return lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(at) : undefined;
}

// An output folder that holds the project would open everything around it.
function rootsOf({ project, outputFolder }: World): string[] {
  return isInside(outputFolder, project) ? [project] : [project, outputFolder];
}

function judge(world: World, place: GuardedPath): void {
  if (isClosed(world, place))
    throw blocked(place.path, {
      en: 'is closed to tools, as secrets and records are',
      zh: '属于机密或记录，工具不可访问',
    });
}

// Whoever writes a hook or a setting of git has it run something, outside every sandbox.
function judgeChange({ steps, path: shown }: GuardedPath): void {
  if (steps.some((step) => step.toLowerCase() === '.git'))
    throw blocked(shown, { en: 'belongs to git', zh: '属于 git' });
}

function readLink(at: string): string | undefined {
  return lstatSync(at).isSymbolicLink() ? readlinkSync(at) : undefined;
}

function explain(error: unknown, shown: string): unknown {
  const options = { cause: error };
  switch (errorCode(error)) {
    case 'ENOENT':
      return new Fault('DataNotFound', quote(shown, { en: 'is not there', zh: '不存在' }), options);
    // A link where a folder is wanted answers ENOTDIR or EEXIST, at the end of the path ELOOP, a socket ENXIO.
    case 'ENOTDIR':
    case 'EEXIST':
    case 'ELOOP':
    case 'ENXIO':
      return new Fault(
        'PathBlocked',
        quote(shown, { en: 'goes through a link or a file', zh: '经过链接或文件' }),
        options,
      );
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new Fault('PermissionDenied', visible(shown), options);
    case 'ENOSPC':
    case 'EDQUOT':
      return new Fault('LIMIT_DISK', visible(shown), options);
    default:
      return error;
  }
}
