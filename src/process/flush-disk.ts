// Flushes the file system a folder is on, by the one program that can: far quicker than file by file where there are many.
import { spawnSync } from 'node:child_process';
import { findTrusted } from './sandbox/host.ts';

/** What others have written is flushed along: where that is very much, nobody waits for it. */
const WAIT_MS = 10_000;

/** False where that cannot be done here, or did not work: then each file is to be flushed by itself. */
export function flushDisk(folder: string): boolean {
  const sync = findTrusted('sync');
  if (sync === undefined) return false;
  const { status } = spawnSync(sync, ['-f', '--', folder], { cwd: '/', env: {}, stdio: 'ignore', timeout: WAIT_MS });
  return status === 0;
}
