// Everything in a skill's folder, listed once: for its digest, and to tell cheaply whether it changed.
import { lstatSync, readdirSync, type Stats } from 'node:fs';

export interface TreeEntry {
  /** Inside the folder, with / between the parts. */
  readonly path: string;
  readonly stats: Stats;
}

/** What kind of thing an entry is, and no more. */
export interface KindEntry {
  readonly path: string;
  readonly stats: Pick<Stats, 'isDirectory' | 'isFile' | 'isSymbolicLink'>;
}

/** More entries than this are never listed. */
export const TREE_LIMIT = 20_000;

/** Files, links and folders, hidden ones too. Throws what the file system throws; stops behind the limit. */
export function listTree(folder: string): TreeEntry[] {
  const entries: TreeEntry[] = [];
  addFolder(entries, folder, '');
  return entries;
}

/** The same in no order and without a look at each file: a folder knows the kinds of what it holds. */
export function listKinds(folder: string): KindEntry[] {
  const entries: KindEntry[] = [];
  const folders = [''];
  for (const prefix of folders) {
    for (const stats of readdirSync(`${folder}/${prefix}`, { withFileTypes: true })) {
      if (entries.length > TREE_LIMIT) return entries;
      entries.push({ path: prefix + stats.name, stats });
      if (stats.isDirectory()) folders.push(`${prefix}${stats.name}/`);
    }
  }
  return entries;
}

function addFolder(entries: TreeEntry[], folder: string, prefix: string): void {
  for (const name of readdirSync(folder).sort()) {
    if (entries.length > TREE_LIMIT) return;
    const file = `${folder}/${name}`;
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (!stats) continue;
    entries.push({ path: prefix + name, stats });
    if (stats.isDirectory()) addFolder(entries, file, `${prefix}${name}/`);
  }
}
