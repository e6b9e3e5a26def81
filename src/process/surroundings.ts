// For tiers without mounts: a copy of the skill's snapshot among links to the neighbours of the skill in its project.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { copyTree, makeFolder, makeLink, setMode } from '../base/files.ts';
import { isInside, realPath } from '../base/paths.ts';
import { discard } from './work-folder.ts';

export interface Surroundings extends Disposable {
  /** A folder tree shaped like the project along the path to the skill. */
  readonly root: string;
  /** The copy of the snapshot in it: a copy, because many programs resolve links before they look for neighbours. */
  readonly skill: string;
}

export interface SkillInProject {
  readonly project: string;
  /** The path of the skill in it. */
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
  const around: Surroundings = { root, skill, [Symbol.dispose]: () => discard(folder) };
  try {
    makeFolder(path.dirname(skill));
    copyTree(snapshot, skill);
    for (let at: string = own; at !== project; at = path.dirname(at))
      linkNeighbours(at, path.join(root, path.relative(project, at)));
    return around;
  } catch (error) {
    around[Symbol.dispose]();
    throw error;
  }
}

/** A link reveals no more than the process may read anyway: access depends on the path it leads to. */
function linkNeighbours(at: string, standIn: string): void {
  const [from, to] = [path.dirname(at), path.dirname(standIn)];
  for (const name of neighbourNames(from)) {
    if (name !== path.basename(at)) makeLink(path.join(to, name), path.join(from, name));
  }
  setMode(to, 0o555);
}

/** Every call pays for every link: of a folder with more names than this only the path to the skill is shown. */
const MOST_NAMES = 1000;

/** Empty when the folder may be entered but not listed. */
function neighbourNames(folder: string): string[] {
  try {
    const names = readdirSync(folder);
    return names.length > MOST_NAMES ? [] : names;
  } catch {
    return [];
  }
}
