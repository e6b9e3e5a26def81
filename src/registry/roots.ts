// Where skills are searched, highest precedence first: the project's folders, the user's, and the built-in ones.
import path from 'node:path';
import { expandHome, isInside, realPath } from '../base/paths.ts';
import type { Source } from '../skill/skill.ts';

export interface Root {
  readonly folder: string;
  readonly source: Source;
  /** The folder as a person would write it. */
  readonly label: string;
  /** Named in the settings, so its absence is reported. */
  readonly chosen?: boolean;
  /** The root's real path may not leave this folder: a cloned project cannot redirect its root. */
  readonly mustStayIn?: string;
  /** Links in the root may lead anywhere inside this folder, besides the roots themselves. */
  readonly linksMayReach?: string;
}

export interface RootPlaces {
  readonly project: string;
  readonly home: string;
  readonly builtin: string;
  readonly config: { readonly skillRoots?: readonly string[] };
}

const STANDARD_ROOTS = ['.agent/skills', '.agents/skills', '.claude/skills'] as const;

export function findRoots(places: RootPlaces): Root[] {
  const { config, builtin } = places;
  const roots = config.skillRoots ? chosenRoots(config.skillRoots, places) : standardRoots(places);
  return [...roots, { folder: builtin, source: 'builtin', label: 'builtin' }];
}

/** The three folders every project has without any setting. */
export function standardProjectRoots(project: string): string[] {
  return STANDARD_ROOTS.map((relative) => path.join(project, relative));
}

/** The three folders every user has without any setting. */
export function standardUserRoots(home: string): string[] {
  return STANDARD_ROOTS.map((relative) => path.join(home, relative));
}

/** A root as written in the settings: `~` is the home folder, the rest is relative to the project. */
export function resolveRoot(written: string, project: string, home: string): string {
  return path.resolve(project, expandHome(written, home));
}

function standardRoots({ project, home }: RootPlaces): Root[] {
  const ofUser = STANDARD_ROOTS.map((relative) => userRoot(path.join(home, relative), `~/${relative}`, home));
  // The home folder itself is not a project: what is there is the user's own.
  if (realPath(project) === realPath(home)) return ofUser;
  const ofProject = STANDARD_ROOTS.map((relative): Root => {
    return { folder: path.join(project, relative), source: 'project', label: relative, mustStayIn: project };
  });
  return [...ofProject, ...ofUser];
}

function chosenRoots(written: readonly string[], { project, home }: RootPlaces): Root[] {
  return written.map((label) => {
    const folder = resolveRoot(label, project, home);
    const isProjects = isInside(project, folder) && realPath(project) !== realPath(home);
    if (!isProjects && isInside(home, folder)) return { ...userRoot(folder, label, home), chosen: true };
    return { folder, source: 'project', label, chosen: true, ...(isProjects && { mustStayIn: project }) };
  });
}

function userRoot(folder: string, label: string, home: string): Root {
  return { folder, source: 'user', label, linksMayReach: home };
}
