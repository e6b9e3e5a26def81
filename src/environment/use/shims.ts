// The programs by which scripts install what they need, as small files of ours: each asks the environment in their place.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { assetPath } from '../../base/assets.ts';
import { makeFolder, nameFolder, removeTree, setMode, writeNewFile } from '../../base/files.ts';
import { randomId, sha256 } from '../../base/ids.ts';
import { once } from '../../base/once.ts';
import { namesIfThere } from '../../base/read-file.ts';

const NAMES = ['pip', 'pip3', 'uv', 'uvx', 'npx', 'npm'];
const ANSWERS = 'shim.py';

const code = once(() => readFileSync(assetPath(`environment/use/${ANSWERS}`), 'utf8'));

/** Found by their names alone; the Python that comes first answers. */
const SHIM = `#!/bin/sh
here=$(dirname -- "$0")
exec python3 -I "$here/${ANSWERS}" "\${0##*/}" "$here" "$@"
`;

/** Their folder, made once for each version of them. */
export function shimFolder(cache: string): string {
  const folder = path.join(cache, `shims-${sha256(SHIM + code()).slice(0, 16)}`);
  if (namesIfThere(folder).length > NAMES.length) return folder;
  makeFolder(cache);
  const staged = `${folder}.${randomId(6)}`;
  makeFolder(staged);
  for (const name of NAMES) write(path.join(staged, name), SHIM, 0o755);
  write(path.join(staged, ANSWERS), code(), 0o644);
  setMode(staged, 0o755);
  if (!nameFolder(staged, folder)) removeTree(staged);
  return folder;
}

function write(file: string, text: string, mode: number): void {
  writeNewFile(file, text, { mode });
  setMode(file, mode);
}
