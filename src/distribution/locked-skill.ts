// What the lock says of an installed skill: one that has changed since is refused before it is run or shown to a model, and
// one that a server served is known by it.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { sha256 } from '../base/ids.ts';
import { realPath } from '../base/paths.ts';
import { typedWord } from '../base/text/shell-word.ts';
import { visible } from '../base/text.ts';
import type { Digest } from '../base/value/digest.ts';
import { type LockedSkill, readLock } from './lock.ts';
import type { InstallPlace } from './place.ts';
import { readServedName } from './source/served-name.ts';

export interface LocatedSkill {
  readonly name: string;
  readonly root: string;
  readonly folder: string;
}

/** All of its files, as hashed for running them; or only the one that is read, to leave the others unread. */
export type Looked = { readonly digest: Digest } | { readonly file: string };

/** Skills that were never installed pass. */
export function requireUnchanged(skill: LocatedSkill, looked: Looked, places: readonly InstallPlace[]): void {
  const locked = lockedAs(skill, places);
  if (!locked || isAsLocked(skill, looked, locked)) return;
  const [shown, typed] = [visible(skill.name), typedWord(skill.name)];
  throw new Fault(
    'IntegrityMismatch',
    { en: `${shown} is not what was installed`, zh: `${shown} 与安装时不同` },
    {
      details: { skill: skill.name, state: 'modified', expected: locked.digest },
      hint: {
        en: `\`skillwright verify ${typed}\` names the files; \`skillwright update ${typed} --force\` brings it back, \`skillwright lock --rewrite\` takes it as it is.`,
        zh: `\`skillwright verify ${typed}\` 列出文件；\`skillwright update ${typed} --force\` 恢复原样，\`skillwright lock --rewrite\` 接受现状。`,
      },
    },
  );
}

/** The server that it came from, as the user calls it; undefined for every other skill. */
export function serverOf(skill: LocatedSkill, places: readonly InstallPlace[]): string | undefined {
  const source = lockedAs(skill, places)?.source;
  return source?.kind === 'mcp' ? readServedName(source.location, [])?.server : undefined;
}

function lockedAs(skill: LocatedSkill, places: readonly InstallPlace[]): LockedSkill | undefined {
  const place = places.find(({ isLocked, root }) => isLocked && root === skill.root);
  if (!place) return undefined;
  return readLock(place.lockFile).skills.find(({ folder }) => path.join(place.root, folder) === skill.folder);
}

function isAsLocked({ folder }: LocatedSkill, looked: Looked, { digest, files }: LockedSkill): boolean {
  if ('digest' in looked) return looked.digest === digest;
  // A link inside the skill is read as its target.
  const real = realPath(path.join(folder, looked.file));
  const root = realPath(folder);
  if (real === undefined || root === undefined) return false;
  const known = files.find((file) => file.path === path.relative(root, real).split(path.sep).join('/'));
  return known?.sha256 === sha256(readFileSync(real));
}
