// Files a call was given by name: which of them a script may see, and under which name.
import { statSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { isHiddenFile } from '../base/hidden-files.ts';
import { isInside, realPath } from '../base/paths.ts';
import { visible } from '../base/text.ts';
import { isOwnState } from '../policy/place.ts';
import { invalid } from '../skill/value.ts';
import type { Door } from './door.ts';

export interface GivenFile {
  /** To be shown beside the project; undefined for what the project shows anyway. */
  readonly show?: string;
}

/** A person may name any file of theirs; everybody else, the open files of the project. */
export function checkGivenFile(name: string, written: string, byPerson: boolean, { places }: Door): GivenFile {
  const real = realPath(path.resolve(places.project, written));
  if (real === undefined) throw invalid(name, { en: 'names no file', zh: '所指文件不存在' }, written);
  if (!statSync(real).isFile()) throw invalid(name, { en: 'is no plain file', zh: '不是普通文件' }, written);
  if (isOwnState(real, places)) throw blocked(written);
  const isOpen = isInside(places.project, real) && !isHiddenFile(path.relative(places.project, real));
  if (isOpen) return {};
  if (!byPerson) throw blocked(written);
  return { show: real };
}

export function isFile(written: string, { places }: Door): boolean {
  if (written === '' || written.length > 4096 || written.includes('\0')) return false;
  return statSync(path.resolve(places.project, written), { throwIfNoEntry: false })?.isFile() === true;
}

function blocked(written: string): Fault {
  return new Fault('PathBlocked', visible(written));
}
