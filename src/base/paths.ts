// Containment: is this path really inside that folder?
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { type AbsolutePath, absolutePath } from './value/absolute-path.ts';

/** Lexical containment; prefix tricks such as /a/b and /a/b-evil do not pass. */
export function isInside(folder: string, candidate: string): boolean {
  const relative = path.relative(folder, candidate);
  return relative === '' || (relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative));
}

/** The same on file systems that fold case or normalise names, so that no other spelling passes. */
export function isInsideFolded(folder: string, candidate: string): boolean {
  return isInside(foldPath(folder), foldPath(candidate));
}

export function foldPath(file: string): string {
  return file
    .normalize('NFKC')
    .toLowerCase()
    .split('/')
    .map((segment) => (segment === '..' || segment === '.' ? segment : segment.replace(/[. ]+$/, '')))
    .join('/');
}

/** The real path, or undefined where nothing is there. */
export function realPath(candidate: string): AbsolutePath | undefined {
  try {
    return absolutePath(realpathSync.native(candidate));
  } catch {
    return undefined;
  }
}

/** Where a file really lies; what is not there yet, by the folder it would be made in. */
export function realTarget(file: string): string {
  const real = realPath(file);
  if (real !== undefined || file === path.dirname(file)) return real ?? file;
  return path.join(realTarget(path.dirname(file)), path.basename(file));
}

export function expandHome(candidate: string, home: string): string {
  return candidate === '~' || candidate.startsWith('~/') ? path.join(home, candidate.slice(1)) : candidate;
}
