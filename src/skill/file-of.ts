// Whether a path names a plain file of a skill: itself, or through links, which all end inside its folder.
import path from 'node:path';
import { realPath } from '../base/paths.ts';
import type { DigestFile } from './digest.ts';

export function isFileOf(
  { folder, files }: { readonly folder: string; readonly files: readonly DigestFile[] },
  name: string,
): boolean {
  const isPlain = (below: string) => files.some(({ path: one, mode }) => one === below && mode !== 'link');
  if (isPlain(name)) return true;
  const [root, file] = [realPath(folder), realPath(path.join(folder, name))];
  return root !== undefined && file !== undefined && isPlain(path.relative(root, file).split(path.sep).join('/'));
}
