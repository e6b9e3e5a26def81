// Pipes for what a process prints. Node has only sockets for that, and a socket tells whoever holds it the addresses
// of the host and cannot be opened again as /dev/stdout; named pipes can be had from a program that is everywhere.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, moveTree, openNamedPipe } from '../base/files.ts';
import { randomId } from '../base/ids.ts';
import { findTrusted } from './sandbox/host.ts';

export interface Pipe {
  readonly read: number;
  readonly write: number;
}

// One run of the program makes as many as some dozen calls need.
const STOCK = 48;
const PREFIX = 'pipe-';

/** Undefined where there is none to be had: then a socket has to do. */
export function openPipe(stock: string, folder: string): Pipe | undefined {
  const file = path.join(folder, `.skillwright-${randomId(12)}`);
  if (namesIn(stock).length === 0 && !fill(stock)) return undefined;
  return takeFrom(stock, file) ? openNamedPipe(file) : undefined;
}

/** Another process may take the same one: only who moves it has it. */
function takeFrom(stock: string, file: string): boolean {
  for (const name of namesIn(stock)) {
    try {
      moveTree(path.join(stock, name), file);
      return true;
    } catch {
      // Taken meanwhile; on to the next.
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

function fill(stock: string): boolean {
  const program = findTrusted('mkfifo');
  if (program === undefined) return false;
  makeFolder(stock);
  const names = Array.from({ length: STOCK }, () => path.join(stock, `${PREFIX}${randomId(8)}`));
  const { status } = spawnSync(program, ['-m', '600', '--', ...names], { env: {}, stdio: 'ignore', timeout: 5000 });
  return status === 0;
}
