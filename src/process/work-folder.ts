// The private folder of one call: made fresh, gone afterwards with whatever was left in it.
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, removeEmptyFolder, removeTree } from '../base/files.ts';
import { randomId } from '../base/ids.ts';

export interface WorkFolder {
  readonly folder: string;
  close(): void;
}

/** No call takes this long: what is older belonged to a host that was killed. */
const FORGOTTEN_MS = 7 * 24 * 3_600_000;

export function openWorkFolder(parent: string, now = Date.now()): WorkFolder {
  makeFolder(parent);
  for (const name of readdirSync(parent)) removeForgotten(path.join(parent, name), now);
  const folder = path.join(parent, `call-${randomId(8)}`);
  makeFolder(folder);
  const close = (): void => {
    // Most calls leave nothing behind, and to look for more costs more than to try.
    if (!removeEmptyFolder(folder)) removeTree(folder);
  };
  return { folder, close };
}

/** Another call may be faster, or it may not be ours to remove; no call fails for it. */
function removeForgotten(folder: string, now: number): void {
  try {
    if (statSync(folder).mtimeMs + FORGOTTEN_MS < now) removeTree(folder);
  } catch {
    return;
  }
}
