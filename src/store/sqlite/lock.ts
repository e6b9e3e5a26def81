// One process at a time, or many readers: the lock of an empty SQLite file, which the system takes back from a process that was killed.
import { Fault } from '../../base/errors.ts';
import { removeTree } from '../../base/files.ts';
import { randomId } from '../../base/ids.ts';
import { prepareFile } from './database.ts';
import { isBusy, translate } from './fault.ts';
import { loadSqlite } from './module.ts';

const WAIT_MS = 15_000;

/** Waits for whoever is at work; throws a Fault where that takes too long. */
export function withLock<Result>(file: string, work: () => Result): Result {
  prepareFile(file);
  const release = lock(file);
  try {
    return work();
  } finally {
    release();
  }
}

/** Undefined where somebody is at work. */
export function ifUnlocked<Result>(file: string, work: () => Result): Result | undefined {
  const release = tryLock(file);
  try {
    return release && work();
  } finally {
    release?.();
  }
}

function lock(file: string): () => void {
  const release = waitFor(file, ALONE);
  if (!release) throw withoutLocks(file);
  return release;
}

/** Lets go of the lock; undefined where somebody has it. Throws a Fault where nobody can have one. */
export function tryLock(file: string): (() => void) | undefined {
  prepareFile(file);
  try {
    return begin(file, 0, ALONE);
  } catch {
    if (!hasLocks(file)) throw withoutLocks(file);
    return undefined;
  }
}

/** The file alone, for whoever finds it where nothing can be written. */
export function placeLock(file: string): void {
  prepareFile(file);
}

/** Any number of processes at once, and meanwhile nobody alone; waits for whoever is. Undefined where the file system knows no locks: nobody is alone there either. */
export function holdLock(file: string): (() => void) | undefined {
  prepareFile(file);
  return waitFor(file, READ);
}

/** Undefined where the file system knows no locks. */
function waitFor(file: string, words: string): (() => void) | undefined {
  try {
    return begin(file, 0, words);
  } catch (error) {
    if (!isBusy(error)) throw translate(error, file);
    if (!hasLocks(file)) return undefined;
  }
  try {
    return begin(file, WAIT_MS, words);
  } catch (error) {
    throw translate(error, file);
  }
}

const ALONE = 'BEGIN EXCLUSIVE';
/** Reading anything is what takes the lock. */
const READ = 'BEGIN; SELECT 1 FROM sqlite_master';

/** SQLite says of both that it is busy: only a file that nobody else knows tells them apart. */
function hasLocks(file: string): boolean {
  const unknown = `${file}.${randomId(6)}`;
  try {
    prepareFile(unknown);
    begin(unknown, 0, ALONE)();
    return true;
  } catch (error) {
    return !isBusy(error);
  } finally {
    removeTree(unknown);
  }
}

function withoutLocks(file: string): Fault {
  return new Fault(
    'StateUnusable',
    { en: `the file system of ${file} knows no file locks`, zh: `${file} 所在文件系统不支持文件锁` },
    {
      details: { file },
      hint: {
        en: 'Nothing was changed. Keep your home (HOME) on a local disk, or mount the network disk with locks.',
        zh: '未作任何更改。请将用户主目录（HOME）放在本地磁盘上，或以支持锁的方式挂载网络磁盘。',
      },
    },
  );
}

function begin(file: string, timeout: number, words: string): () => void {
  const { DatabaseSync } = loadSqlite();
  const connection = new DatabaseSync(file, { timeout });
  try {
    connection.exec(words);
  } catch (error) {
    connection.close();
    throw error;
  }
  // Nothing was written: closing lets go of the lock.
  return () => connection.close();
}
