// A sandbox may hide the settings of a repository, which can hold passwords; git does nothing without them.
import {
  closeSync,
  copyFileSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Settings are replaced, and git takes a linked HEAD for the name of a branch. */
const NOT_LINKED = new Set(['config', 'config.worktree', 'HEAD', 'hooks']);

let found;

/** A folder of our own with empty settings that leads to everything else, where the repository's own are closed to us. */
export function standInFolder() {
  found ??= { folder: areSettingsClosed() ? makeStandIn(path.resolve('.git')) : undefined };
  return found.folder;
}

// Opened, because a sandbox may forbid what the mode of a file allows.
function areSettingsClosed() {
  try {
    closeSync(openSync(path.join('.git', 'config'), 'r'));
    return false;
  } catch (error) {
    return error.code === 'EACCES' || error.code === 'EPERM';
  }
}

function makeStandIn(repository) {
  const folder = mkdtempSync(path.join(tmpdir(), 'git-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const name of readdirSync(repository)) {
    if (!NOT_LINKED.has(name)) symlinkSync(path.join(repository, name), path.join(folder, name));
  }
  copyFileSync(path.join(repository, 'HEAD'), path.join(folder, 'HEAD'));
  writeFileSync(path.join(folder, 'config'), '');
  return folder;
}
