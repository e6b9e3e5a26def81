// Whether somebody watches what is written to stderr.
import { fstatSync } from 'node:fs';

/** Nobody watches a file or a pipe, and Node's stream for it takes longer to load than a short command. */
export function isWatched(): boolean {
  return fstatSync(2).isCharacterDevice() && process.stderr.isTTY;
}
