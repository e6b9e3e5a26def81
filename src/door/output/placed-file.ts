// A file that the project does not have, for one call to write: covered by the call's own where the sandbox can do that.
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { removeTree, writeNewFile } from '../../base/files.ts';
import { errorCode } from '../../base/read-file.ts';
import { visible } from '../../base/text.ts';
import { absolutePath } from '../../base/value/absolute-path.ts';
import type { Mapped } from '../../process/order.ts';
import type { Capabilities } from '../../process/sandbox/capability.ts';
import { othersRun } from '../../process/work-folder.ts';

export interface PlacedFile extends Disposable {
  /** The call's own file, seen in its place; calls at the same time do not disturb each other. */
  readonly mapped?: Mapped;
  /** Without such a sandbox the file in the project itself is written. */
  readonly shared: readonly string[];
  /** Undefined when nothing was written. */
  read(): string | undefined;
}

const LIMIT = 1024 * 1024;

/** Throws a Fault when such a file is there already: its content would pass for the call's. */
export function placeFile(file: string, workFolder: string, { mounts }: Pick<Capabilities, 'mounts'>): PlacedFile {
  const isOurs = makePlace(file);
  const remove = () => {
    // Taken away under another call, its own file would go too; the last one takes it away.
    if (!othersRun(workFolder)) removeTree(file);
  };
  if (mounts) {
    const own = path.join(workFolder, 'placed');
    writeNewFile(own, '');
    const mapped = { at: absolutePath(file), from: absolutePath(own) };
    return { mapped, shared: [], read: () => readWritten(own), [Symbol.dispose]: remove };
  }
  // Only whoever made it may write it: of two calls, one could not tell its words from the other's.
  if (!isOurs) return { shared: [], read: () => undefined, [Symbol.dispose]: remove };
  return { shared: [file], read: () => readWritten(file), [Symbol.dispose]: () => removeTree(file) };
}

/** An empty one is the place of another call, or was left by one that died. */
function makePlace(file: string): boolean {
  try {
    writeNewFile(file, '', { mode: 0o644 });
    return true;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    const there = lstatSync(file, { throwIfNoEntry: false });
    if (there === undefined || (there.isFile() && there.size === 0)) return false;
    throw new Fault('AlreadyExists', visible(path.basename(file)), {
      details: { check: 'interrupt-file' },
      hint: {
        en: 'A script writes this file to ask for a decision. Look at it, then remove it.',
        zh: '脚本用此文件请求决定。请查看后将其删除。',
      },
    });
  }
}

function readWritten(file: string): string | undefined {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { size } = fstatSync(descriptor);
    if (size === 0) return undefined;
    return size > LIMIT ? '' : readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}
