// Where nothing can be mounted: a skill's snapshot once more, among links to what lies around the skill in its project.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { copyTree, makeFolder, makeLink, removeTree, setMode } from '../base/files.ts';
import { isInside, realPath } from '../base/paths.ts';

export interface Surroundings extends Disposable {
  /** Shaped like the project as far as the skill reaches up. */
  readonly root: string;
  /** The copy of the snapshot in it: a copy, because many programs resolve links before they look for neighbours. */
  readonly skill: string;
}

export interface SkillInProject {
  readonly project: string;
  /** Where the skill lies in it. */
  readonly skill: string;
  readonly snapshot: string;
}

/** Undefined for a skill from outside the project: its neighbours are not shown on any tier. */
export function standAmong({ snapshot, ...place }: SkillInProject, workFolder: string): Surroundings | undefined {
  const [project, own] = [realPath(place.project), realPath(place.skill)];
  if (project === undefined || own === undefined || own === project || !isInside(project, own)) return undefined;
  const folder = path.join(path.dirname(workFolder), `around-${path.basename(workFolder)}`);
  const root = path.join(folder, path.basename(project));
  const skill = path.join(root, path.relative(project, own));
  const around: Surroundings = { root, skill, [Symbol.dispose]: () => removeTree(folder) };
  try {
    makeFolder(path.dirname(skill));
    copyTree(snapshot, skill);
    for (let at = own; at !== project; at = path.dirname(at))
      linkNeighbours(at, path.join(root, path.relative(project, at)));
    return around;
  } catch (error) {
    around[Symbol.dispose]();
    throw error;
  }
}

/** A link shows no more than the process may read anyway: what it leads to is granted by its own place, or is not. */
function linkNeighbours(at: string, standIn: string): void {
  const [from, to] = [path.dirname(at), path.dirname(standIn)];
  for (const name of neighbourNames(from)) {
    if (name !== path.basename(at)) makeLink(path.join(to, name), path.join(from, name));
  }
  setMode(to, 0o555);
}

/** Every link is paid for by every call: a folder with more names than this shows the way to the skill only. */
const MOST_NAMES = 1000;

/** None where the folder may be entered and not listed. */
function neighbourNames(folder: string): string[] {
  try {
    const names = readdirSync(folder);
    return names.length > MOST_NAMES ? [] : names;
  } catch {
    return [];
  }
}
