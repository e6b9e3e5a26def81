// Which folder may take results: never one whose files a program obeys, nor one that holds home or skills.
import path from 'node:path';
import { foldPath, isInside, isInsideFolded, realTarget } from '../base/paths.ts';
import { resolveRoot, standardProjectRoots, standardUserRoots } from '../registry/roots.ts';

export interface OutputPlaces {
  readonly project: string;
  readonly home: string;
  /** As written, of every layer of the settings. */
  readonly skillRoots: readonly string[];
}

// Git and we ourselves obey what lies there, wherever the folder is.
export const OBEYED = ['.git', '.agent'];
// Run by us or by package managers; folders that begin with a dot belong to tools that run what they find.
const PROGRAM_FOLDERS = ['agents', 'bin', 'node_modules'];

/** Why nobody's settings may send results there; undefined where they may. */
export function whyNoResults(folder: string, places: OutputPlaces): string | undefined {
  return bothWays(folder, places, (at, { project, home, roots }) => {
    if (isInsideFolded(at, home)) return 'it holds your home folder';
    const obeyed = stepsOf(at, project, home).find((step) => OBEYED.includes(step));
    if (obeyed !== undefined) return `it lies in ${obeyed}`;
    const isProject = isInsideFolded(at, project) && isInsideFolded(project, at);
    const root = isProject ? undefined : roots.find((one) => isInsideFolded(at, one) || isInsideFolded(one, at));
    return root === undefined ? undefined : 'skills are read from there';
  });
}

/** A project's own settings may only name a plain folder of the project. */
export function whyNoProjectResults(folder: string, places: OutputPlaces): string | undefined {
  const why = whyNoResults(folder, places);
  if (why !== undefined) return why;
  return bothWays(folder, places, (at, { project, home }) => {
    if (!isInside(project, at) || at === project) return 'it is no folder inside the project';
    const steps = stepsOf(at, project, home);
    const obeyed = steps.find((step) => step.startsWith('.') || PROGRAM_FOLDERS.includes(step));
    return obeyed === undefined ? undefined : `programs obey what lies in ${obeyed}`;
  });
}

interface Judged {
  readonly project: string;
  readonly home: string;
  readonly roots: readonly string[];
}

/** By the names as written, and by where links lead today. */
function bothWays(
  folder: string,
  places: OutputPlaces,
  judge: (folder: string, judged: Judged) => string | undefined,
): string | undefined {
  const { project, home, skillRoots } = places;
  const chosen = skillRoots.map((root) => resolveRoot(root, project, home));
  const roots = [...standardProjectRoots(project), ...standardUserRoots(home), ...chosen];
  const real = { project: realTarget(project), home: realTarget(home), roots: roots.map(realTarget) };
  return judge(folder, { project, home, roots }) ?? judge(realTarget(folder), real);
}

/** The names on the way from the project or home, folded as file systems fold them. */
export function stepsOf(folder: string, project: string, home: string): string[] {
  const start = [project, home].find((place) => isInsideFolded(place, folder)) ?? path.parse(folder).root;
  return path.relative(foldPath(start), foldPath(folder)).split(path.sep);
}
