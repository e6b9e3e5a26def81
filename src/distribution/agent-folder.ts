// Folders where other agents look for skills: a link there leads to the one installed copy.
import { lstatSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { makeFolder, makeLink, removeTree } from '../base/files.ts';
import { isInside, realPath } from '../base/paths.ts';
import { visible } from '../base/text.ts';

const FOLDERS = { 'claude-code': '.claude/skills', codex: '.agents/skills', agents: '.agents/skills' } as const;

export type OtherAgent = keyof typeof FOLDERS;
export const OTHER_AGENTS = Object.keys(FOLDERS) as readonly OtherAgent[];

/** One installed skill, and the folder whose agents are to find it: the project, or home. */
export interface LinkedSkill {
  readonly folder: string;
  readonly base: string;
}

/** The links that are still missing; throws where something else lies in the place of one. */
export function missingLinks(skill: LinkedSkill, agents: readonly OtherAgent[]): string[] {
  const links = linksOf(skill, new Set(agents.map((agent) => FOLDERS[agent])));
  const missing = links.filter((link) => link !== skill.folder && !leadsTo(link, skill.folder));
  for (const link of missing) requireFree(link, skill.base);
  return missing;
}

export function linkSkill({ folder }: LinkedSkill, links: readonly string[]): void {
  for (const link of links) {
    makeFolder(path.dirname(link), 0o755);
    makeLink(link, path.relative(path.dirname(link), folder));
  }
}

/** Takes away what led to a skill that is gone. */
export function unlinkSkill(skill: LinkedSkill): void {
  for (const link of linksOf(skill, new Set(Object.values(FOLDERS)))) if (leadsTo(link, skill.folder)) removeTree(link);
}

function linksOf({ folder, base }: LinkedSkill, roots: ReadonlySet<string>): string[] {
  return [...roots].map((root) => path.join(base, root, path.basename(folder)));
}

function leadsTo(link: string, folder: string): boolean {
  if (!lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink()) return false;
  return path.resolve(path.dirname(link), readlinkSync(link)) === folder;
}

function requireFree(link: string, base: string): void {
  if (lstatSync(link, { throwIfNoEntry: false })) throw new Fault('AlreadyExists', visible(link));
  let existing = path.dirname(link);
  while (!lstatSync(existing, { throwIfNoEntry: false })) existing = path.dirname(existing);
  const real = realPath(existing);
  if (real === undefined || !isInside(realPath(base) ?? base, real)) throw new Fault('PathBlocked', visible(existing));
}
