// Files that are read at run time beside the code: scripts, prompts, templates, term lists, and the shipped skills.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Fault } from './errors.ts';

// In src/, in dist/lib/ and in dist/chunks/ alike, this module lies one folder below the assets; the build checks it.
// In a bundle of somebody else's it can lie anywhere, or have no folder at all.
const folder = path.dirname(import.meta.dirname ?? '.');

/** The path of an asset, named as in the source tree: `process/sandbox/linux/launcher.pl`. */
export function assetPath(relative: string): string {
  return path.join(folder, relative);
}

/** The folder of the shipped skills. Throws where this code was taken out of its package. */
export function shippedSkills(): string {
  const skills = path.join(path.dirname(folder), 'skills');
  if (existsSync(path.join(skills, 'manifest.json')) && existsSync(assetPath('process/sandbox/linux/launcher.pl')))
    return skills;
  throw new Fault('PackageIncomplete', skills);
}
