// Where skills are installed: the first root of a scope, with the lock beside it and the trash under home.
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { makeFolder } from '../base/files.ts';
import { sha256 } from '../base/ids.ts';
import { isInside, realPath } from '../base/paths.ts';
import { visible } from '../base/text.ts';
import type { Root } from '../registry/roots.ts';

export const SCOPES = ['project', 'user'] as const;
export type InstallScope = (typeof SCOPES)[number];

export interface InstallPlace {
  readonly scope: InstallScope;
  readonly root: string;
  /** The root's real path may not leave this folder. */
  readonly mustStayIn?: string;
  readonly lockFile: string;
  /** Skills are installed in the first root of a scope only; the lock knows no other. */
  readonly isLocked: boolean;
  readonly trash: string;
  /** There while something is being put in place; under home, so that no project can write it. */
  readonly journal: string;
}

export interface PlaceOptions {
  readonly project: string;
  readonly home: string;
  readonly roots: readonly Root[];
}

/** The project's place unless told otherwise, the user's where there is no project. */
export function findPlace(options: PlaceOptions, scope?: InstallScope): InstallPlace {
  const root = options.roots.find(({ source }) => (scope === undefined ? source !== 'builtin' : source === scope));
  if (root) return placeAt(root, options);
  throw new Fault('Usage', {
    en: `the settings name no ${scope ?? ''} root for skills`,
    zh: `配置中没有 ${scope ?? ''} 技能目录`,
  });
}

/** Every place something can be installed in. */
export function findPlaces(options: PlaceOptions): InstallPlace[] {
  const scopes = SCOPES.filter((scope) => options.roots.some(({ source }) => source === scope));
  return scopes.map((scope) => findPlace(options, scope));
}

export function placeAt(root: Root, { project, home, roots }: PlaceOptions): InstallPlace {
  const { folder, source, mustStayIn } = root;
  if (source === 'builtin')
    throw new Fault(
      'PermissionDenied',
      { en: 'built-in skills are read-only', zh: '内置技能为只读' },
      {
        hint: {
          en: 'They come with Skillwright; a skill of the same name in .agent/skills is taken instead.',
          zh: '内置技能随 Skillwright 提供；.agent/skills 中的同名技能优先。',
        },
      },
    );
  const base = source === 'project' ? project : home;
  return {
    scope: source,
    root: folder,
    ...(mustStayIn !== undefined && { mustStayIn }),
    isLocked: roots.find((other) => other.source === source)?.folder === folder,
    lockFile: path.join(base, '.agent', 'skills.lock.json'),
    trash: path.join(home, '.agent', 'trash'),
    journal: path.join(home, '.agent', 'installing', `${sha256(journalKey(folder, base))}.json`),
  };
}

// The same before the root is made and after, by whatever link the project was reached.
function journalKey(root: string, base: string): string {
  return path.join(realPath(base) ?? base, path.relative(base, root));
}

/** Makes the root where it is missing, and says which folders are new, outermost first. */
export function ensureRoot(place: InstallPlace): string[] {
  const missing: string[] = [];
  let existing = place.root;
  for (; lstatSync(existing, { throwIfNoEntry: false }) === undefined; existing = path.dirname(existing))
    missing.unshift(existing);
  requireContained(place, existing);
  for (const folder of missing) makeFolder(folder, 0o755);
  return missing;
}

/** The root, or the folder above it that is there, lies where it says, and so does the folder of the lock. */
export function requireContained({ root, lockFile, mustStayIn }: InstallPlace, existing = root): void {
  if (mustStayIn === undefined) return;
  const limit = realPath(mustStayIn) ?? mustStayIn;
  const beside = path.dirname(lockFile);
  const folders = lstatSync(beside, { throwIfNoEntry: false }) ? [existing, beside] : [existing];
  for (const folder of folders) {
    const real = realPath(folder);
    if (real !== undefined && isInside(limit, real)) continue;
    const shown = visible(folder === beside ? beside : root);
    throw new Fault('PathBlocked', {
      en: `${shown} is a link that leaves the project`,
      zh: `${shown} 是指向项目之外的链接`,
    });
  }
}
