// Exchanges or removes a file: whoever reads it, or kills us, finds the old content or the new one, never half.
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  type Stats,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { Fault } from '../../base/errors.ts';
import { randomId } from '../../base/ids.ts';
import { quote } from '../../loader/contained.ts';
import { blocked, explained, type OpenParent } from './path-guard.ts';

/** A killed process leaves one of these behind; the next change in that folder takes it away. */
const TEMPORARY = /^\.skillwright-[0-9a-f]{24}\.tmp$/;
const ABANDONED_MS = 60_000;

/** What the file is now; undefined where there is none. Anything but a plain, writable file is refused. */
export function lookAt(parent: OpenParent): Stats | undefined {
  const at = `${parent.at}/${parent.name}`;
  return explained(parent.path, () => {
    const stats = lstatSync(at, { throwIfNoEntry: false });
    if (stats && !stats.isFile()) throw blocked(parent.path, { en: 'is not a plain file', zh: '不是普通文件' });
    // An exchange would get past the mode of the file; its owner meant it.
    if (stats) accessSync(at, constants.W_OK);
    return stats;
  });
}

/** False when the file is no longer what it was; nothing has changed then. Mode and owner are kept, or those of another. */
export function replaceFile(
  parent: OpenParent,
  content: string | Uint8Array,
  before: Stats | undefined,
  access = before,
): boolean {
  const temporary = `${parent.at}/.skillwright-${randomId(12)}.tmp`;
  return explained(parent.path, () => {
    removeAbandoned(parent.at);
    try {
      writeTemporary(temporary, content, access, parent.user);
      if (!isSame(before, lookAt(parent))) return false;
      renameSync(temporary, `${parent.at}/${parent.name}`);
      return true;
    } finally {
      rmSync(temporary, { force: true });
    }
  });
}

/** A link is removed itself, never what it leads to. */
export function removeFile(parent: OpenParent): void {
  explained(parent.path, () => {
    const at = `${parent.at}/${parent.name}`;
    if (lstatSync(at).isDirectory())
      throw new Fault('ParamInvalid', quote(parent.path, { en: 'is a folder', zh: '是目录' }));
    unlinkSync(at);
  });
}

function writeTemporary(
  temporary: string,
  content: string | Uint8Array,
  access: Stats | undefined,
  user: number | undefined,
): void {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const descriptor = openSync(temporary, 'wx', access ? 0o600 : 0o666);
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
    if (access) keepAccess(descriptor, access);
    else if (user !== undefined) fchownSync(descriptor, user, user);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

// The owner first: giving a file away takes its special bits.
function keepAccess(descriptor: number, { uid, gid, mode }: Stats): void {
  const isOther = uid !== process.geteuid?.() || gid !== process.getegid?.();
  if (isOther && process.geteuid?.() === 0) fchownSync(descriptor, uid, gid);
  fchmodSync(descriptor, mode & 0o777);
}

function isSame(before: Stats | undefined, now: Stats | undefined): boolean {
  if (!before || !now) return before === now;
  return before.ino === now.ino && before.size === now.size && before.mtimeMs === now.mtimeMs;
}

function removeAbandoned(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!TEMPORARY.test(name)) continue;
    const stats = lstatSync(`${folder}/${name}`, { throwIfNoEntry: false });
    if (stats && Date.now() - stats.mtimeMs > ABANDONED_MS) rmSync(`${folder}/${name}`, { force: true });
  }
}
