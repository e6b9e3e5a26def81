// A cheap fingerprint that tells whether a skill's files may have changed, so that only changed skills are hashed again.
import { sha256 } from '../base/ids.ts';
import { TREE_LIMIT, type TreeEntry } from '../skill/tree.ts';

/** Coarsest file time in use; a file changed twice within it can look unchanged. */
export const CLOCK_STEP_MS = 2000;

/** Empty when it proves nothing: too recent, or too many files. */
export function fingerprint(entries: readonly TreeEntry[], now: number): string {
  let text = '';
  let youngest = 0;
  for (const { path, stats } of entries) {
    // An editor of a file cannot set back its change time (ctime), unlike its modification time.
    text += `${path}\0${stats.mode} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs} ${stats.ino}\n`;
    youngest = Math.max(youngest, stats.ctimeMs);
  }
  const isSettled = youngest < now - CLOCK_STEP_MS;
  return isSettled && entries.length <= TREE_LIMIT ? sha256(text).slice(0, 32) : '';
}
