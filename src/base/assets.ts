// Files that are read at run time beside the code: scripts, prompts, templates, term lists.
import path from 'node:path';

// In src/, in the library and in the bundle alike, this module lies one folder below the assets.
const folder = path.dirname(import.meta.dirname);

/** The path of an asset, named as in the source tree: `process/sandbox/launcher.pl`. */
export function assetPath(relative: string): string {
  return path.join(folder, relative);
}
