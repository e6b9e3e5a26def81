// A cheap fingerprint that tells whether a skill's files may have changed, so that only changed skills are hashed again.
import { sha256 } from '../base/ids.ts';
import { TREE_LIMIT, type TreeEntry } from '../skill/tree.ts';
import { isSettled } from './witness.ts';

/** Empty when it proves nothing: too recent, or too many files. */
export function fingerprint(entries: readonly TreeEntry[], now: number): string {
  let text = '';
  for (const { path, stats } of entries) {
    text += `${path}\0${stats.mode} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs} ${stats.ino}\n`;
  }
  const areSettled = entries.every(({ stats }) => isSettled(stats, now));
  return areSettled && entries.length <= TREE_LIMIT ? sha256(text).slice(0, 32) : '';
}
