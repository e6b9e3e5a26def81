// Where Skillwright keeps its own state, which file tools never touch, and where results may be written.
import path from 'node:path';
import { isInside, isInsideFolded } from '../base/paths.ts';
import type { AbsolutePath } from '../base/value/absolute-path.ts';

/** Real folders. */
export interface Places {
  readonly project: AbsolutePath;
  readonly home: AbsolutePath;
  /** Folders that results go to, inside the project. */
  readonly output: readonly AbsolutePath[];
  /** Of the skill whose list of tools is read. */
  readonly skill?: string;
}

// Authors work on these with ordinary tools; everything else under .agent is ours.
const OPEN_FOLDERS = ['skills', 'evals'];

/** Is this file part of our state? Give the real path: a link is judged by where it leads. */
export function isOwnState(file: string, places: Places): boolean {
  const absolute = path.resolve(places.project, file);
  if (isInsideFolded(path.join(places.home, '.agent'), absolute)) {
    return !isInsideFolded(path.join(places.home, '.agent', 'skills'), absolute);
  }
  const own = path.join(places.project, '.agent');
  return (
    isInsideFolded(own, absolute) && !OPEN_FOLDERS.some((folder) => isInsideFolded(path.join(own, folder), absolute))
  );
}

/** Is this file where results go? An output folder that holds the project or home itself does not count. */
export function isInOutput(file: string, places: Places): boolean {
  const absolute = path.resolve(places.project, file);
  if (file.includes('\0') || isOwnState(absolute, places)) return false;
  return places.output
    .filter((folder) => !isInside(folder, places.project) && !isInside(folder, places.home))
    .some((folder) => isInside(folder, absolute) && !isInside(absolute, folder));
}
