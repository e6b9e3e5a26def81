// `write_file`: a file of the project gets this content, whole; folders on the way are made.
import { Fault } from '../base/errors.ts';
import { visible } from '../base/text.ts';
import { openParent, type World } from './path-guard.ts';
import { lookAt, replaceFile } from './replace-file.ts';

export interface WriteFileResult {
  readonly path: string;
  readonly size: number;
  readonly created: boolean;
}

export const SIZE_LIMIT = 16 * 1024 * 1024;
export const ATTEMPTS = 5;

export function writeFile(world: World, given: string, content: string): WriteFileResult {
  const bytes = Buffer.from(content);
  if (bytes.length > SIZE_LIMIT) throw new Fault('LIMIT_FILE_SIZE', `${visible(given)}: ${bytes.length}`);
  const parent = openParent(world, given, { create: true });
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const before = lookAt(parent);
      if (replaceFile(parent, bytes, before))
        return { path: parent.path, size: bytes.length, created: before === undefined };
    }
    throw changing(parent.path);
  } finally {
    parent.close();
  }
}

export function changing(path: string): Fault {
  return new Fault('RuntimeFailed', {
    en: `${visible(path)} keeps changing meanwhile`,
    zh: `${visible(path)} 正在被不断修改`,
  });
}
