// `delete_file`: removes one file of the project; a link is removed itself, never what it leads to.
import { lstatSync, unlinkSync } from 'node:fs';
import { Fault } from '../base/errors.ts';
import { quote } from '../loader/contained.ts';
import { explained, openParent, type World } from './path-guard.ts';

export interface DeleteFileResult {
  readonly path: string;
  readonly deleted: true;
}

export function deleteFile(world: World, given: string): DeleteFileResult {
  const parent = openParent(world, given);
  try {
    return explained(parent.path, () => {
      const at = `${parent.at}/${parent.name}`;
      if (lstatSync(at).isDirectory())
        throw new Fault('ParamInvalid', quote(parent.path, { en: 'is a folder', zh: '是目录' }));
      unlinkSync(at);
      return { path: parent.path, deleted: true };
    });
  } finally {
    parent.close();
  }
}
