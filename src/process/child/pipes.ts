// Pipes for the output of a process. Node offers only sockets for that, and a socket reveals addresses of the host to
// its holder and cannot be reopened as /dev/stdout; named pipes come from `mkfifo`, which every system has.
import { spawnSync } from 'node:child_process';
import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, moveTree } from '../../base/files.ts';
import { randomId } from '../../base/ids.ts';
import { openNamedPipe } from '../../base/open-file.ts';
import { findTrusted } from '../sandbox/host.ts';

export interface Pipe {
  readonly read: number;
  readonly write: number;
}

// One run of the program makes enough for some dozen calls.
const STOCK = 48;
const PREFIX = 'pipe-';

/** Undefined where none is available: then a socket is used. */
export function openPipe(stock: string, folder: string): Pipe | undefined {
  const file = path.join(folder, `.skillwright-${randomId(12)}`);
  return takeFrom(stock, file) || makeWithStock(stock, file) ? openNamedPipe(file) : undefined;
}

export function canMakePipes(): boolean {
  return findTrusted('mkfifo') !== undefined;
}

/** Another process may take the same one: only the one whose rename succeeds has it. */
function takeFrom(stock: string, file: string): boolean {
  for (const name of namesIn(stock)) {
    try {
      moveTree(path.join(stock, name), file);
      return true;
    } catch {
      // Taken meanwhile; try the next.
    }
  }
  return false;
}

function namesIn(stock: string): string[] {
  try {
    return readdirSync(stock).filter((name) => name.startsWith(PREFIX));
  } catch {
    return [];
  }
}

/** Ours is made together with the new pool: other calls can empty it before we have taken one. */
function makeWithStock(stock: string, file: string): boolean {
  const program = findTrusted('mkfifo');
  if (program === undefined) return false;
  makeFolder(stock);
  const spare = Array.from({ length: STOCK }, () => path.join(stock, `${PREFIX}${randomId(8)}`));
  const names = [file, ...spare];
  spawnSync(program, ['-m', '600', '--', ...names], { env: {}, stdio: 'ignore', timeout: 30_000 });
  return lstatSync(file, { throwIfNoEntry: false })?.isFIFO() ?? false;
}
