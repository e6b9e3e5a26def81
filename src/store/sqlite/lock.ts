// One process at a time: the lock of an empty SQLite file, which the system takes back from a process that was killed.
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

function lock(file: string): () => void {
  const { DatabaseSync } = loadSqlite();
  try {
    const connection = new DatabaseSync(file, { timeout: WAIT_MS });
    try {
      connection.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      connection.close();
      throw error;
    }
    // Nothing was written: closing lets go of the lock.
    return () => connection.close();
  } catch (error) {
    throw translate(error, file);
  }
}
