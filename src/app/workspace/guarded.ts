// What this project has guarded beyond the names every project has: its skill roots, and where guarded links lead.
import { type Dirent, readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { type Guarded, type GuardedPlace, type Obeyed, obeyedBy } from '../../base/guarded-path.ts';
import { SKIPPED_FOLDERS } from '../../base/hidden-files.ts';
import { foldPath, isInside, realPath } from '../../base/paths.ts';
import { visible } from '../../base/text.ts';
import type { Runtime } from '../runtime.ts';

const SKILLS: Obeyed = { en: 'Skillwright, as skills', zh: 'Skillwright（作为技能）' };
const UNSEEN: Obeyed = {
  en: 'whatever links to it, which is too much to look through',
  zh: '可能链接到它的工具（条目过多，无法逐一查看）',
};

/** Ordinary folders are looked into one level deep, guarded ones so deep. */
const DEPTH_LIMIT = 4;
const ENTRY_LIMIT = 250_000;
const LINK_LIMIT = 40;

/** Read from the disk as it is now. */
export function guardedOf(runtime: Pick<Runtime, 'project' | 'places' | 'roots'>): Guarded {
  const { project } = runtime.places;
  const roots = rootsOf(runtime).flatMap((below) => placesBehind(project, below, SKILLS));
  return { places: [...roots, ...linkedPlaces(project, { places: roots })] };
}

/** Below the project, those of the user that lie there too. */
function rootsOf({ project, places, roots }: Pick<Runtime, 'project' | 'places' | 'roots'>): string[] {
  return roots.flatMap(({ folder }) => {
    if (isInside(project, folder)) return [path.relative(project, folder)];
    const real = realPath(folder);
    return real !== undefined && isInside(places.project, real) ? [path.relative(places.project, real)] : [];
  });
}

/** Where too much has to be looked through everything counts as guarded: nobody gets past by making it too much. */
function linkedPlaces(project: string, roots: Guarded): GuardedPlace[] {
  const found: GuardedPlace[] = [];
  const folders = [{ at: '', depth: 0 }];
  let seen = 0;
  for (const { at, depth } of folders) {
    for (const entry of entriesOf(path.join(project, at))) {
      if (++seen > ENTRY_LIMIT) return [{ path: '', by: UNSEEN }];
      const isFolder = entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name) && depth < DEPTH_LIMIT;
      if (!isFolder && !entry.isSymbolicLink()) continue;
      const below = path.join(at, entry.name);
      const by = obeyedBy(below, roots);
      if (isFolder && (by || depth === 0)) folders.push({ at: below, depth: depth + 1 });
      if (!isFolder && by) found.push(...placesBehind(project, below, through(by, below)));
    }
  }
  return found;
}

function through(by: Obeyed, below: string): Obeyed {
  const name = visible(below);
  return { en: `${by.en}, through ${name}`, zh: `${by.zh}（经由 ${name}）` };
}

/** Every link on the way and where it ends, as far as that is in the project; there or not. */
function placesBehind(project: string, below: string, by: Obeyed): GuardedPlace[] {
  const met: string[] = [];
  let at = project;
  let ahead = below.split('/');
  while (ahead.length > 0 && met.length < LINK_LIMIT) {
    const [step = '', ...rest] = ahead;
    const next = path.join(at, step);
    const target = step === '..' ? undefined : linkTarget(next);
    if (target !== undefined) met.push(next);
    if (target === undefined) at = next;
    else if (path.isAbsolute(target)) at = '/';
    ahead = target === undefined ? rest : [...target.split('/'), ...rest];
  }
  const inside = [...met, at].filter((place) => isInside(project, place));
  return inside.map((place) => ({ path: foldPath(path.relative(project, place)), by }));
}

/** What this user may not look into, no tool of theirs obeys. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function linkTarget(file: string): string | undefined {
  try {
    return readlinkSync(file);
  } catch {
    return undefined;
  }
}
