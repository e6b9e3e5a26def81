// Tells cheaply whether a skill's files may have changed, so that only changed skills are hashed again.
import { lstatSync, readdirSync } from 'node:fs';
import { sha256 } from '../base/ids.ts';

/** Coarsest file time in use; a file changed twice within it can look unchanged. */
export const CLOCK_STEP_MS = 2000;
const ENTRY_LIMIT = 20_000;

interface Walk {
  text: string;
  entries: number;
  youngest: number;
}

/** Empty when it proves nothing: too young, too many files, or unreadable. */
export function fingerprint(folder: string, now: number): string {
  const walk: Walk = { text: '', entries: 0, youngest: 0 };
  try {
    addFolder(walk, folder, '');
  } catch {
    return '';
  }
  const isSettled = walk.youngest < now - CLOCK_STEP_MS;
  return isSettled && walk.entries <= ENTRY_LIMIT ? sha256(walk.text).slice(0, 32) : '';
}

function addFolder(walk: Walk, folder: string, relative: string): void {
  for (const name of readdirSync(folder).sort()) {
    if (++walk.entries > ENTRY_LIMIT) return;
    const file = `${folder}/${name}`;
    const inside = `${relative}/${name}`;
    const stats = lstatSync(file, { bigint: true });
    // The change time cannot be set back by whoever edits a file, unlike its modification time.
    walk.text += `${inside}\0${stats.mode} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs} ${stats.ino}\n`;
    walk.youngest = Math.max(walk.youngest, Number(stats.ctimeMs));
    if (stats.isDirectory()) addFolder(walk, file, inside);
  }
}
