// Reads files that may not be there, and says what kept a file from being read; nothing here writes.
import { closeSync, constants, type Dirent, fstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { Fault } from './errors.ts';

/** Text of a file, or undefined where there is none. */
export function readTextIfThere(file: string): string | undefined {
  return readIfThere(file)?.toString('utf8');
}

const READ_LIMIT = 64 * 1024 * 1024;

/** Only a plain file of bearable size: a pipe would hold us up, a device would never end. */
export function readIfThere(file: string): Buffer | undefined {
  return withOpenFile(file, (descriptor) => {
    const stats = fstatSync(descriptor);
    if (stats.isDirectory()) throw Object.assign(new Error(`EISDIR: ${file} is a folder`), { code: 'EISDIR' });
    if (!stats.isFile())
      throw new Fault('PathBlocked', { en: `${file} is not a plain file`, zh: `${file} 不是普通文件` });
    if (stats.size > READ_LIMIT) throw new Fault('LIMIT_FILE_SIZE', `${file}: ${READ_LIMIT} bytes`);
    return readFileSync(descriptor);
  });
}

/** Some bytes of a file, or undefined where they are not there. */
export function readPartIfThere(file: string, { at, length }: { at: number; length: number }): Buffer | undefined {
  return withOpenFile(file, (descriptor) => {
    if (fstatSync(descriptor).size < at + length) return undefined;
    const bytes = Buffer.alloc(length);
    let read = 0;
    for (let more = 1; read < length && more > 0; read += more)
      more = readSync(descriptor, bytes, read, length - read, at + read);
    return read === length ? bytes : undefined;
  });
}

/** What lies in a folder; nothing where there is none. */
export function entriesIfThere(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

/** The names in a folder; none where it does not exist. */
export function namesIfThere(folder: string): string[] {
  return entriesIfThere(folder).map(({ name }) => name);
}

export function isNotFound(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

function withOpenFile<Value>(file: string, use: (descriptor: number) => Value | undefined): Value | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
  try {
    return use(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
