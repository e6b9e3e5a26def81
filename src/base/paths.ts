// Containment: is this path really inside that folder?
import { realpathSync } from 'node:fs';
import path from 'node:path';

/** Lexical containment; prefix tricks such as /a/b and /a/b-evil do not pass. */
export function isInside(folder: string, candidate: string): boolean {
  const relative = path.relative(folder, candidate);
  return relative === '' || (relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative));
}

/** The real path, or undefined where nothing is there. */
export function realPath(candidate: string): string | undefined {
  try {
    return realpathSync.native(candidate);
  } catch {
    return undefined;
  }
}

export function expandHome(candidate: string, home: string): string {
  return candidate === '~' || candidate.startsWith('~/') ? path.join(home, candidate.slice(1)) : candidate;
}
