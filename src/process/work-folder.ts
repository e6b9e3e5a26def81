// The private folder of one call: created for it, moved aside when the call ends, deleted soon after.
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { addFolder, makeFolder, moveTree, removeTree } from '../base/files.ts';
import { randomId } from '../base/ids.ts';
import { createLater, type Later } from '../base/later.ts';
import { once } from '../base/once.ts';

export interface WorkFolder {
  readonly folder: string;
  close(): void;
}

/** No call takes this long: an older folder belonged to a host that was killed. */
const FORGOTTEN_MS = 7 * 24 * 3_600_000;
const IN_USE = 'call-';
const OVER = 'over-';

export function openWorkFolder(parent: string, now = Date.now()): WorkFolder {
  makeFolder(parent);
  for (const name of readdirSync(parent)) removeForgotten(path.join(parent, name), now);
  const folder = newFolder(parent);
  return { folder, close: () => discard(folder) };
}

/** By a short name: programs put local sockets into folders below it, whose paths end at 107 bytes. */
function newFolder(parent: string): string {
  const folder = path.join(parent, `${IN_USE}${randomId(4)}`);
  return addFolder(folder) ? folder : newFolder(parent);
}

/** Whether another call has its folder beside this one. */
export function othersRun(folder: string): boolean {
  return readdirSync(path.dirname(folder)).some((name) => name.startsWith(IN_USE) && name !== path.basename(folder));
}

/** Deleting a folder can take longer than the rest of a call's end, so nothing waits for it. */
export function discard(folder: string): void {
  const over = path.join(path.dirname(folder), path.basename(folder).replace(IN_USE, OVER));
  try {
    moveTree(folder, over);
    cleaning().add(() => removeTree(over));
  } catch {
    // A script may have removed it itself.
    removeTree(folder);
  }
}

const cleaning = once((): Later => {
  const later = createLater();
  process.once('exit', () => later.settle());
  return later;
});

/** Another call may be faster, or we may lack the permission; no call fails for it. */
function removeForgotten(folder: string, now: number): void {
  try {
    if (statSync(folder).mtimeMs + FORGOTTEN_MS < now) removeTree(folder);
  } catch {
    return;
  }
}
