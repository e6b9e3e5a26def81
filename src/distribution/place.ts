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
  /** Skills are installed in the first root of a scope only; the lock covers no other. */
  readonly isLocked: boolean;
  readonly trash: string;
  /** The journal exists during a transaction; under home, so that no project can write it. */
  readonly journal: string;
}

export interface PlaceOptions {
  readonly project: string;
  readonly home: string;
  readonly roots: readonly Root[];
}

/** The project's root unless told otherwise, the user's where there is no project. */
export function findPlace(options: PlaceOptions, scope?: InstallScope): InstallPlace {
  const root = options.roots.find(({ source }) => (scope === undefined ? source !== 'builtin' : source === scope));
  if (root) return placeAt(root, options);
  throw new Fault('Usage', {
    en: `the settings name no ${scope ?? ''} root for skills`,
    zh: `配置中没有 ${scope ?? ''} 技能目录`,
  });
}

/** Every root something can be installed in. */
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

// The same before and after the root is created, through whatever link the project was reached.
function journalKey(root: string, base: string): string {
  return path.join(realPath(base) ?? base, path.relative(base, root));
}

/** Creates the root when missing, and returns the new folders, outermost first. */
export function ensureRoot(place: InstallPlace): string[] {
  const missing: string[] = [];
  let existing = place.root;
  for (; lstatSync(existing, { throwIfNoEntry: false }) === undefined; existing = path.dirname(existing))
    missing.unshift(existing);
  requireContained(place, existing);
  for (const folder of missing) makeFolder(folder, 0o755);
  return missing;
}

/** Checks that the root, or its nearest existing parent, and the folder of the lock are not redirected by links. */
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
