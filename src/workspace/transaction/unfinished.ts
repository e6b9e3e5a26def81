// Marks of transactions that were begun: whoever starts next sees at a glance that something is not finished.
import path from 'node:path';
import { errorCode, namesIfThere } from '../../base/read-file.ts';

const OPEN = '.open-';

export function openMark(folder: string, id: string): string {
  return path.join(folder, `${OPEN}${id}`);
}

/** False where the folder may not be read: whoever may not read it began nothing there. */
export function hasUnfinished(folder: string): boolean {
  try {
    return namesIfThere(folder).some((name) => name.startsWith(OPEN));
  } catch (error) {
    if (errorCode(error) === 'EACCES') return false;
    throw error;
  }
}
