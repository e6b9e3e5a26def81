// Lists the files of a skill by kind, without opening one: what a model may ask for.
import path from 'node:path';
import { errorCode } from '../base/read-file.ts';
import { openFolder } from './contained.ts';
import { type Files, realFiles } from './files.ts';

export type ResourceKind = 'script' | 'reference' | 'asset' | 'other';

export interface Resource {
  /** Relative to the skill folder, with slashes. */
  readonly path: string;
  readonly kind: ResourceKind;
  readonly bytes: number;
}

export interface ResourceList {
  readonly items: readonly Resource[];
  /** More files than are listed. */
  readonly cut: boolean;
}

interface Listing {
  readonly items: Resource[];
  readonly skillFile: string;
  readonly files: Files;
  cut: boolean;
  visited: number;
}

const ITEM_LIMIT = 200;
const VISIT_LIMIT = 5_000;
const DEPTH_LIMIT = 8;
const KINDS: Readonly<Record<string, ResourceKind>> = {
  scripts: 'script',
  reference: 'reference',
  references: 'reference',
  assets: 'asset',
};

export function listResources(
  skill: { readonly folder: string; readonly realFolder?: string; readonly file: string },
  options: { readonly files?: Files } = {},
): ResourceList {
  const files = options.files ?? realFiles;
  const listing: Listing = { items: [], skillFile: path.basename(skill.file), files, cut: false, visited: 0 };
  listFolder(listing, skill.realFolder ?? skill.folder, []);
  listing.items.sort((a, b) => order(a) - order(b) || (a.path < b.path ? -1 : 1));
  return { items: listing.items, cut: listing.cut };
}

export function resourceKind(relativePath: string): ResourceKind {
  const [top = '', ...rest] = relativePath.split('/');
  return (rest.length > 0 ? KINDS[top] : undefined) ?? 'other';
}

// Through open folders, like reading: a link swapped in reveals no names from elsewhere.
function listFolder(listing: Listing, at: string, steps: readonly string[]): void {
  try {
    const folder = openFolder(at, listing.files);
    try {
      listEntries(listing, folder.at, steps);
    } finally {
      folder.close();
    }
  } catch (error) {
    // A folder that cannot be listed has no entries.
    if (errorCode(error) === undefined) throw error;
  }
}

function listEntries(listing: Listing, at: string, steps: readonly string[]): void {
  const entries = listing.files.readdirSync(at, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const isFull = listing.items.length >= ITEM_LIMIT || ++listing.visited > VISIT_LIMIT;
    if (isFull) listing.cut = true;
    if (isFull) return;
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const inside = [...steps, entry.name];
    if (entry.isDirectory() && inside.length <= DEPTH_LIMIT) listFolder(listing, `${at}/${entry.name}`, inside);
    if (entry.isFile() && inside.join('/') !== listing.skillFile) addFile(listing, `${at}/${entry.name}`, inside);
  }
}

function addFile(listing: Listing, at: string, steps: readonly string[]): void {
  const stats = listing.files.lstatSync(at, { throwIfNoEntry: false });
  const relative = steps.join('/');
  if (stats?.isFile()) listing.items.push({ path: relative, kind: resourceKind(relative), bytes: stats.size });
}

function order({ kind }: Resource): number {
  return ['reference', 'script', 'asset', 'other'].indexOf(kind);
}
