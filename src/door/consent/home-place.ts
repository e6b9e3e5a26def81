// Where the lasting home of a skill is: by its source, by the project for a skill of a project, and by its name.
import path from 'node:path';
import { sha256 } from '../../base/ids.ts';
import { canonicalJson } from '../../base/json.ts';
import { calledName } from '../../registry/called-name.ts';
import type { SkillEntry } from '../../registry/discover.ts';

/** Whose home it is. */
export interface HomeOwner {
  readonly source: string;
  readonly skill: string;
  /** Of a skill of the project: its real path. */
  readonly project?: string;
}

export function homeOwner(skill: SkillEntry, project: string): HomeOwner {
  const { source } = skill;
  return { source, skill: calledName(skill), ...(source === 'project' && { project }) };
}

/** The folder that holds the home and what is known of it. */
export function homeFolder(homes: string, owner: HomeOwner): string {
  return path.join(homes, sha256(`skillwright home 1\n${canonicalJson({ ...owner })}`).slice(0, 32));
}

export const HOME_PARTS = { home: 'home', owner: 'owner.json', lock: 'lock' } as const;
