// Everything in a skill's folder, listed once: for its digest, and to tell cheaply whether it changed.
import { lstatSync, readdirSync, type Stats } from 'node:fs';

export interface TreeEntry {
  /** Inside the folder, with / between the parts. */
  readonly path: string;
  readonly stats: Stats;
}

/** More entries than this are never listed. */
export const TREE_LIMIT = 20_000;

/** Files, links and folders, hidden ones too. Throws what the file system throws; stops behind the limit. */
export function listTree(folder: string): TreeEntry[] {
  const entries: TreeEntry[] = [];
  addFolder(entries, folder, '');
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
