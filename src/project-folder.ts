// Which folder is the project, seen from where somebody stands.
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';

const PROJECT_MARKS = ['.agent', '.agents', '.claude', '.git'];

/** The nearest folder above that looks like a project. Home is none, nor is a folder anyone may write to. */
export function findProject(start: string, home: string): string {
  for (let folder = start; folder !== home; folder = path.dirname(folder)) {
    const isOurs = folder === start || !isWritableByAll(folder);
    if (isOurs && PROJECT_MARKS.some((mark) => existsSync(path.join(folder, mark)))) return folder;
    if (folder === path.dirname(folder)) break;
  }
  return start;
}

function isWritableByAll(folder: string): boolean {
  const mode = statSync(folder, { throwIfNoEntry: false })?.mode ?? 0;
  return (mode & 0o002) !== 0;
}
