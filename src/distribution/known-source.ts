// Sources this user installed from, kept under home: a lock in a project can name any address, and proves nothing.
import path from 'node:path';
import { makeFolder, writeFileAtomic } from '../base/files.ts';
import { sha256 } from '../base/ids.ts';
import { readTextIfThere } from '../base/read-file.ts';

/** Only a hash is kept: addresses may hold tokens. */
export function keepSource(home: string, location: string): void {
  const file = fileOf(home, location);
  makeFolder(path.dirname(file));
  writeFileAtomic(file, '');
}

export function isKnownSource(home: string, location: string): boolean {
  return readTextIfThere(fileOf(home, location)) !== undefined;
}

function fileOf(home: string, location: string): string {
  return path.join(home, '.agent', 'sources', sha256(location));
}
