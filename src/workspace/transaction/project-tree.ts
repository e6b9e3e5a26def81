// Reaches into the project without following a link on the way: each folder is opened from the one above it.
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { errorCode } from '../../base/read-file.ts';
import { visible } from '../../base/text.ts';
import { openFolder, splitPath } from '../../loader/contained.ts';
import { realFiles } from '../../loader/files.ts';

/** A name in a folder that is held open. */
export interface Place {
  readonly at: string;
  /** Of the folder it is in. */
  readonly owner: { readonly uid: number; readonly gid: number };
}

/** The folder above it must be there. */
export function inProject<Result>(project: string, below: string, act: (place: Place) => Result): Result {
  const steps = splitPath(below);
  const name = steps.pop() ?? '';
  let folder = openFolder(project, realFiles);
  try {
    for (const step of steps) {
      const next = enter(`${folder.at}/${step}`, below);
      folder.close();
      folder = next;
    }
    const { uid, gid } = lstatSync(`${folder.at}/.`);
    return act({ at: path.join(folder.at, name), owner: { uid, gid } });
  } finally {
    folder.close();
  }
}

/** Whether a path below the project can be reached at all, whatever is there. */
export function isReachable(below: string): boolean {
  try {
    return splitPath(below).length > 0;
  } catch {
    return false;
  }
}

/** What a link leads to, or what stands in the way, is not the project's. */
function enter(at: string, shown: string): ReturnType<typeof openFolder> {
  try {
    return openFolder(at, realFiles);
  } catch (error) {
    if (!['ELOOP', 'ENOTDIR', 'ENOENT'].includes(errorCode(error) ?? '')) throw error;
    throw new Fault(
      'Conflict',
      { en: `${visible(shown)}: its folder is no longer there`, zh: `${visible(shown)}: 其目录已不存在` },
      { cause: error },
    );
  }
}
