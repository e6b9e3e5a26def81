// A path as a person typed it is meant from the folder they stood in; a call names it from the project.
import path from 'node:path';
import { isInside } from '../base/paths.ts';
import type { Param } from '../skill/skill.ts';
import type { Call } from './call.ts';
import type { Door } from './door.ts';

/** Where the paths of a call begin: only a person stands anywhere else than in the project. */
export function baseOf({ byPerson = false, from }: Pick<Call, 'byPerson' | 'from'>, { places }: Door): string {
  return byPerson && from !== undefined ? from : places.project;
}

export function takesPath({ type }: Pick<Param, 'type'>): boolean {
  return type === 'file' || type === 'path';
}

/** Relative to the project where it lies inside, whole where it does not; unchanged where both begin in one place. */
export function pathInProject(written: string, base: string, { places }: Door): string {
  if (base === places.project || path.isAbsolute(written) || written === '' || written.includes('\0')) return written;
  const target = path.resolve(base, written);
  const slash = written.endsWith('/') ? '/' : '';
  if (!isInside(places.project, target)) return target + slash;
  const below = path.relative(places.project, target) || '.';
  // A name at the top of the project must not pass for an option there.
  return (below.startsWith('-') ? `./${below}` : below) + slash;
}
