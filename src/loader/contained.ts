// Opens a file inside a folder and nowhere else, however the path is written and whatever changes it meanwhile.
import { constants, existsSync } from 'node:fs';
import { Fault } from '../base/errors.ts';
import type { Text } from '../base/language.ts';
import { errorCode } from '../base/read-file.ts';
import { visible } from '../base/text.ts';
import type { Files } from './files.ts';

/** `O_NONBLOCK`: opening a fifo without a writer must not block. */
const FILE_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const FOLDER_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_DIRECTORY ?? 0);
const DESCRIPTORS = '/proc/self/fd';
/**
 * With /proc, each step of a path is opened relative to an open folder, so that nothing can be swapped in between.
 * Systems without it check each step, then open it: there a swap in between can win the race.
 */
const HAS_DESCRIPTORS = existsSync(DESCRIPTORS);
const NAME_LIMIT = 255;
const DEPTH_LIMIT = 32;

/** A descriptor of what is at that path; the folder itself must not be a link. The caller checks its kind and closes it. */
export function openContained(folder: string, relativePath: string, files: Files): number {
  const steps = splitPath(relativePath);
  const name = steps.pop() ?? '';
  try {
    return openBelow(folder, steps, name, files);
  } catch (error) {
    throw explain(error, relativePath);
  }
}

/** The path segments; anything that could mean another place is refused. Nothing is decoded. */
export function splitPath(relativePath: string): string[] {
  const blocked = (reason: Text) => new Fault('PathBlocked', quote(relativePath, reason));
  if (relativePath === '') throw blocked({ en: 'is empty', zh: '为空' });
  if (relativePath.includes('\0')) throw blocked({ en: 'contains NUL', zh: '含有 NUL 字符' });
  if (relativePath.includes('\\')) throw blocked({ en: 'contains a backslash', zh: '含有反斜杠' });
  if (relativePath.startsWith('/') || /^[a-z]:/i.test(relativePath))
    throw blocked({ en: 'is absolute', zh: '是绝对路径' });
  const steps = relativePath.replace(/^(?:\.\/)+/, '').split('/');
  if (steps.length > DEPTH_LIMIT) throw blocked({ en: 'is nested too deep', zh: '层级过深' });
  for (const step of steps) {
    if (step === '..') throw blocked({ en: 'goes up', zh: '含有上级目录' });
    if (step === '' || step === '.') throw blocked({ en: 'has an empty step', zh: '含有空的路径段' });
    if (Buffer.byteLength(step) > NAME_LIMIT) throw blocked({ en: 'has too long a name', zh: '名称过长' });
  }
  return steps;
}

export interface OpenFolder {
  /** A path that reaches exactly this folder, also when it has been moved or replaced since. */
  readonly at: string;
  close(): void;
}

/** Refuses a link in the last step. */
export function openFolder(at: string, files: Files): OpenFolder {
  if (!HAS_DESCRIPTORS) {
    if (!files.lstatSync(at).isDirectory()) throw notFollowed();
    return { at, close: () => {} };
  }
  const descriptor = files.openSync(at, FOLDER_FLAGS);
  return { at: `${DESCRIPTORS}/${descriptor}`, close: () => files.closeSync(descriptor) };
}

function openBelow(at: string, steps: string[], name: string, files: Files): number {
  const folder = openFolder(at, files);
  try {
    const [step, ...rest] = steps;
    if (step === undefined) return openLast(`${folder.at}/${name}`, files);
    return openBelow(`${folder.at}/${step}`, rest, name, files);
  } finally {
    folder.close();
  }
}

function openLast(at: string, files: Files): number {
  if (!HAS_DESCRIPTORS && files.lstatSync(at).isSymbolicLink()) throw notFollowed();
  return files.openSync(at, FILE_FLAGS);
}

function notFollowed(): Error {
  return Object.assign(new Error('a link in the path'), { code: 'ELOOP' });
}

function explain(error: unknown, relativePath: string): unknown {
  const options = { cause: error };
  switch (errorCode(error)) {
    case 'ENOENT':
      return new Fault('DataNotFound', quote(relativePath, { en: 'is not in the skill', zh: '不在技能中' }), options);
    // A link where a folder is expected returns ENOTDIR, at the end of the path ELOOP, a socket ENXIO.
    case 'ENOTDIR':
    case 'ELOOP':
    case 'ENXIO':
      return new Fault(
        'PathBlocked',
        quote(relativePath, { en: 'is a link or no file', zh: '是链接或不是文件' }),
        options,
      );
    case 'EACCES':
    case 'EPERM':
      return new Fault('PermissionDenied', visible(relativePath), options);
    default:
      return error;
  }
}

export function quote(relativePath: string, reason: Text): Text {
  const shown = visible(relativePath.slice(0, 300));
  return { en: `${shown} ${reason.en}`, zh: `${shown} ${reason.zh}` };
}
