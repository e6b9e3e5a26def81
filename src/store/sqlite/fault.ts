// Translates errors of SQLite and the file system into faults that say what to do.
import { Fault } from '../../base/errors.ts';
import { errorCode } from '../../base/read-file.ts';

/** Primary result codes of SQLite, https://sqlite.org/rescode.html. */
const PERM = 3;
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;

export function isBusy(error: unknown): boolean {
  const code = resultCode(error);
  return code === BUSY || code === LOCKED;
}

/** Any other error is rethrown unchanged. */
export function translate(error: unknown, file: string): unknown {
  const code = resultCode(error) ?? fileSystemCode(error);
  if (code === undefined || error instanceof Fault) return error;
  const options = { cause: error, details: { file } };
  switch (code) {
    case CORRUPT:
      return new Fault('StateUnusable', { en: `${file} is damaged`, zh: `${file} 已损坏` }, options);
    case NOTADB:
      return foreignDatabase(file, error);
    case BUSY:
    case LOCKED:
      return new Fault('StateUnusable', inUse(file), { ...options, hint: IN_USE_HINT });
    case FULL:
      return new Fault('LIMIT_DISK', file, options);
    case PERM:
    case READONLY:
    case CANTOPEN:
      return new Fault('PermissionDenied', file, options);
    default:
      return new Fault('StateUnusable', `${file}: ${error instanceof Error ? error.message : error}`, options);
  }
}

export function foreignDatabase(file: string, cause?: unknown): Fault {
  const detail = { en: `${file} is not a Skillwright database`, zh: `${file} 不是 Skillwright 的数据库` };
  return new Fault('StateUnusable', detail, { cause, details: { file } });
}

const IN_USE_HINT = {
  en: 'Another Skillwright process holds it; try again when that one has ended.',
  zh: '另一个 Skillwright 进程正在使用；待其结束后重试。',
};

function inUse(file: string) {
  return { en: `${file} stayed locked by another process`, zh: `${file} 一直被其他进程锁定` };
}

function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined;
  return error.errcode & 0xff;
}

function fileSystemCode(error: unknown): number | undefined {
  switch (errorCode(error)) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return PERM;
    case 'ENOSPC':
    case 'EDQUOT':
      return FULL;
    default:
      return undefined;
  }
}
