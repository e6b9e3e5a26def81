// Which folder may take results: never one whose files a program obeys, nor one that holds home or skills.
import path from 'node:path';
import type { Text } from '../base/language.ts';
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

export const HOLDS_HOME: Text = { en: 'it holds your home folder', zh: '其中包含您的主目录' };
export const NOT_INSIDE: Text = { en: 'it is no folder inside the project', zh: '它不是项目内的目录' };

export function liesIn(folder: string): Text {
  return { en: `it lies in ${folder}`, zh: `它位于 ${folder} 之内` };
}

/** Why nobody's settings may send results there; undefined where they may. */
export function whyNoResults(folder: string, places: OutputPlaces): Text | undefined {
  return bothWays(folder, places, (at, { project, home, roots }) => {
    if (isInsideFolded(at, home)) return HOLDS_HOME;
    const obeyed = stepsOf(at, project, home).find((step) => OBEYED.includes(step));
    if (obeyed !== undefined) return liesIn(obeyed);
    const isProject = isInsideFolded(at, project) && isInsideFolded(project, at);
    const root = isProject ? undefined : roots.find((one) => isInsideFolded(at, one) || isInsideFolded(one, at));
    return root === undefined ? undefined : { en: 'skills are read from there', zh: '技能从该处读取' };
  });
}

/** A project's own settings may only name a plain folder of the project. */
export function whyNoProjectResults(folder: string, places: OutputPlaces): Text | undefined {
  const why = whyNoResults(folder, places);
  if (why !== undefined) return why;
  return bothWays(folder, places, (at, { project, home }) => {
    if (!isInside(project, at) || at === project) return NOT_INSIDE;
    const steps = stepsOf(at, project, home);
    const obeyed = steps.find((step) => step.startsWith('.') || PROGRAM_FOLDERS.includes(step));
    if (obeyed === undefined) return undefined;
    return { en: `programs obey what lies in ${obeyed}`, zh: `程序会执行 ${obeyed} 中的内容` };
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
  judge: (folder: string, judged: Judged) => Text | undefined,
): Text | undefined {
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
