// `list_dir`: what is in a folder of the project.
import { lstatSync } from 'node:fs';
import { explained, openListing, type World } from './path-guard.ts';
import { type EntryKind, walk } from './walk.ts';

export interface ListDirArguments {
  readonly path?: string | undefined;
  /** 1 lists the folder alone. */
  readonly depth?: number | undefined;
}

export interface ListDirResult {
  readonly path: string;
  readonly entries: { path: string; kind: EntryKind; size?: number }[];
  readonly truncated: boolean;
}

const ENTRY_LIMIT = 1000;

export function listDir(world: World, { path: given = '.', depth = 1 }: ListDirArguments): ListDirResult {
  const { folder, place } = openListing(world, given.replace(/(?<=.)\/+$/, ''));
  const entries: ListDirResult['entries'] = [];
  try {
    return explained(place.path, () => {
      for (const { path, kind, at } of walk(world, folder, place, depth)) {
        if (entries.length === ENTRY_LIMIT) return { path: place.path, entries, truncated: true };
        const size = kind === 'file' ? lstatSync(at, { throwIfNoEntry: false })?.size : undefined;
        entries.push({ path, kind, ...(size !== undefined && { size }) });
      }
      return { path: place.path, entries, truncated: false };
    });
  } finally {
    folder.close();
  }
}
