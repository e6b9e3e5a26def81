// Folders of layers in which nothing was left, kept for the next runs: making and removing one costs more than a mount.
import { readdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { removeTree } from '../base/files.ts';
import { errorCode } from '../base/read-file.ts';
import { isOverlay, upperOf } from './begun.ts';
import type { LayerPlace } from './layer.ts';

/** So many runs of a project at once find one. */
const SPARES = 3;

/** Of a run that has none yet: one that is free, if there is any. */
export function takeSpare({ folder, spares }: LayerPlace): void {
  for (const spare of namesOf(spares)) if (moved(spare, folder)) return;
}

/** Removes a layer that nobody needs any more; nothing is mounted. Where nothing was written, its folder is kept. */
export function dropLayer({ folder, spares }: LayerPlace): void {
  if (!isUnwritten(folder)) {
    removeTree(folder);
    return;
  }
  // What was allowed, or remembered, belongs to the run that ends.
  for (const name of readdirSync(folder)) if (!isPart(name)) removeTree(path.join(folder, name));
  if (!namesOf(spares).some((spare) => moved(folder, spare))) removeTree(folder);
}

/** A deletion is written, too. */
function isUnwritten(folder: string): boolean {
  return isOverlay(folder) && readdirSync(upperOf(folder)).length === 0;
}

const PARTS = new Set(['masked', 'lower', 'held', 'merged', 'disk', 'lock']);

function isPart(name: string): boolean {
  return PARTS.has(name) || name.startsWith('mask-');
}

function namesOf(spares: string | undefined): string[] {
  if (spares === undefined) return [];
  return Array.from({ length: SPARES }, (_, number) => path.join(spares, `spare-${number}`));
}

/** False where it is not there, or where something is in its place. */
function moved(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) return false;
    throw error;
  }
}
