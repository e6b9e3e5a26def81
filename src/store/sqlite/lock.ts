// One process at a time, or many readers: the lock of an empty SQLite file, which the system takes back from a process that was killed.
import { prepareFile } from './database.ts';
import { translate } from './fault.ts';
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
  try {
    return begin(file, WAIT_MS);
  } catch (error) {
    throw translate(error, file);
  }
}

/** Lets go of the lock; undefined where somebody has it. */
export function tryLock(file: string): (() => void) | undefined {
  prepareFile(file);
  try {
    return begin(file, 0);
  } catch {
    return undefined;
  }
}

/** Any number of processes at once, and meanwhile nobody alone; waits for whoever is. */
export function holdLock(file: string): () => void {
  prepareFile(file);
  try {
    // Reading anything is what takes the lock.
    return begin(file, WAIT_MS, 'BEGIN; SELECT 1 FROM sqlite_master');
  } catch (error) {
    throw translate(error, file);
  }
}

function begin(file: string, timeout: number, words = 'BEGIN EXCLUSIVE'): () => void {
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
