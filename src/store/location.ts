// Where a project's state lives: under home, never inside the project, keyed by the project's real path.
import path from 'node:path';
import { sha256 } from '../base/ids.ts';
import { realPath } from '../base/paths.ts';

export interface ProjectPlace {
  readonly home: string;
  readonly project: string;
}

export function stateFile(place: ProjectPlace): string {
  return path.join(place.home, '.agent', 'state', projectKey(place.project), 'state.db');
}

/** The same for every spelling of the project's path; the readable half is only for people. */
export function projectKey(project: string): string {
  const real = realPath(project) ?? path.resolve(project);
  const readable = path
    .basename(real)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 32);
  return `${readable || 'project'}-${sha256(real).slice(0, 24)}`;
}
