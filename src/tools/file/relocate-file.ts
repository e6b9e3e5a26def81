// Moves a plain file to another name: whoever is killed meanwhile leaves it under the old name, the new one or both.
import { linkSync, lstatSync, renameSync, type Stats, unlinkSync } from 'node:fs';
import { Fault } from '../../base/errors.ts';
import { errorCode } from '../../base/read-file.ts';
import { quote } from '../../loader/contained.ts';
import { changing, SIZE_LIMIT } from '../change.ts';
import { readNamed } from './open-text.ts';
import { blocked, explained, type OpenParent } from './path-guard.ts';
import { lookAt, replaceFile } from './replace-file.ts';

/** What the system answers where one step cannot do it: another file system, or one without hard links. */
const NEEDS_COPY: ReadonlySet<unknown> = new Set(['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS']);

/** The file to be moved; a link or a folder is refused. */
export function lookAtSource(from: OpenParent): Stats {
  return explained(from.path, () => {
    const stats = lstatSync(placeOf(from));
    if (stats.isDirectory()) throw new Fault('ParamInvalid', quote(from.path, { en: 'is a folder', zh: '是目录' }));
    if (!stats.isFile()) throw blocked(from.path, { en: 'is not a plain file', zh: '不是普通文件' });
    return stats;
  });
}

/** Whether another file was replaced; without `overwrite` that is refused, also where it appears meanwhile. */
export function relocate(from: OpenParent, source: Stats, to: OpenParent, overwrite: boolean): boolean {
  const before = lookAt(to);
  if (before && isSameFile(before, source))
    throw new Fault('ParamInvalid', quote(to.path, { en: 'is the same file', zh: '是同一文件' }));
  if (before && !overwrite) throw isThere(to);
  explained(from.path, () => (before ? exchange(from, source, to, before) : place(from, source, to)));
  return before !== undefined;
}

// A second name is refused where there is one, which a rename is not; the old name goes when the new one holds.
function place(from: OpenParent, source: Stats, to: OpenParent): void {
  try {
    linkSync(placeOf(from), placeOf(to));
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw isThere(to);
    if (!NEEDS_COPY.has(errorCode(error))) throw error;
    copyOver(from, source, to, undefined);
  }
  removeOld(from, source);
}

function exchange(from: OpenParent, source: Stats, to: OpenParent, before: Stats): void {
  try {
    renameSync(placeOf(from), placeOf(to));
  } catch (error) {
    if (!NEEDS_COPY.has(errorCode(error))) throw error;
    copyOver(from, source, to, before);
    removeOld(from, source);
  }
}

function copyOver(from: OpenParent, source: Stats, to: OpenParent, before: Stats | undefined): void {
  if (source.size > SIZE_LIMIT)
    throw new Fault(
      'LIMIT_FILE_SIZE',
      quote(from.path, { en: 'is too large for another file system', zh: '过大，无法移到另一文件系统' }),
    );
  const { bytes, stats } = readNamed(from, SIZE_LIMIT);
  if (!isSameFile(stats, source) || !replaceFile(to, bytes, before, stats)) throw changing(to.path);
}

/** What somebody else put there meanwhile stays. */
function removeOld(from: OpenParent, source: Stats): void {
  const now = lstatSync(placeOf(from), { throwIfNoEntry: false });
  if (now && isSameFile(now, source)) unlinkSync(placeOf(from));
}

function isSameFile(one: Stats, other: Stats): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}

function isThere(to: OpenParent): Fault {
  return new Fault('ParamInvalid', quote(to.path, { en: 'is there already', zh: '已存在' }), {
    hint: {
      en: 'Nothing was moved. Choose another name, or ask for `overwrite`.',
      zh: '未移动任何文件。请换一个名称，或使用 `overwrite`。',
    },
  });
}

function placeOf({ at, name }: OpenParent): string {
  return `${at}/${name}`;
}
