// Folders of layers in which nothing was left, kept for the next runs: making and removing one costs more than a mount.
import { existsSync, renameSync } from 'node:fs';
import path from 'node:path';
import { removeTree } from '../base/files.ts';
import { errorCode, namesIfThere } from '../base/read-file.ts';
import { callMark, touchedFile, upperOf } from './begun.ts';

/** So many runs of a project at once find one. */
const SPARES = 3;

/** Of a run that has none yet: one that is free, if there is any. */
export function takeSpare(folder: string, spares: string): void {
  for (const spare of namesOf(spares)) if (moved(spare, folder)) return;
}

/** Keeps the folder of a layer in which nothing is; one more than can be used is removed. */
export function keepSpare(folder: string, spares: string): void {
  if (existsSync(callMark(folder)) || namesIfThere(upperOf(folder)).length > 0) return;
  removeTree(touchedFile(folder));
  if (!namesOf(spares).some((spare) => moved(folder, spare))) removeTree(folder);
}

function namesOf(spares: string): string[] {
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
