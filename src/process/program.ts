// Finds programs by name on the user's PATH, never in the project, never where other users could replace them.
import { existsSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { isInside, realPath } from '../base/paths.ts';
import { SYSTEM_PATH } from './environment.ts';

export interface ProgramSearch {
  /** The host's PATH; the system's own folders come after it. */
  readonly path: string;
  /** Nothing inside this folder is ever started by name. */
  readonly project: string;
}

/** The first program of that name that may be used. */
export function findProgram(name: string, search: ProgramSearch): string | undefined {
  return findPrograms([name], search).next().value ?? undefined;
}

/** Every usable program of these names, in PATH order. */
export function* findPrograms(names: readonly string[], search: ProgramSearch): Generator<string, undefined> {
  for (const folder of new Set(`${search.path}:${SYSTEM_PATH}`.split(':'))) {
    // An empty or relative entry means the working folder, which belongs to the project.
    if (!path.isAbsolute(folder)) continue;
    for (const name of names) {
      const file = path.join(folder, name);
      if (isPlainName(name) && isUsable(file, search.project)) yield file;
    }
  }
  return undefined;
}

/** An executable outside the project, both by name and by real path, that only its owner can change. */
export function isUsable(file: string, project: string): boolean {
  const real = realPath(file);
  if (real === undefined) return false;
  if (belongsToProject(file, project) || belongsToProject(real, realPath(project) ?? project)) return false;
  const stats = statSync(real);
  if (!stats.isFile() || (stats.mode & 0o111) === 0 || isOpenToAll(stats)) return false;
  return foldersAreClosed(path.dirname(file)) && foldersAreClosed(path.dirname(real));
}

/** Inside the project or the repository around it; also whatever a package installed, wherever that is. */
export function belongsToProject(file: string, project: string): boolean {
  return isInside(repositoryAround(project), file) || file.split(path.sep).includes('node_modules');
}

function repositoryAround(project: string): string {
  for (let folder = project; folder !== path.dirname(folder); folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, '.git'))) return folder;
  }
  return project;
}

function isPlainName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/\\\0]/.test(name);
}

function foldersAreClosed(folder: string): boolean {
  for (let current = folder; ; current = path.dirname(current)) {
    const stats = statSync(current, { throwIfNoEntry: false });
    if (!stats || isOpenToAll(stats)) return false;
    if (current === path.dirname(current)) return true;
  }
}

// In a sticky folder others can add names, but not replace an existing one.
function isOpenToAll(stats: Stats): boolean {
  return (stats.mode & 0o002) !== 0 && !(stats.isDirectory() && (stats.mode & 0o1000) !== 0);
}

const SYSTEM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib64'];

/** Lies where the system keeps its programs and libraries. */
export function isSystemFile(file: string): boolean {
  return SYSTEM_FOLDERS.some((folder) => isInside(folder, file));
}
