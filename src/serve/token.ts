// The token of a server on this machine: made once, in a file that its owner alone can read.
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { createFileOnce, makeFolder } from '../base/files.ts';
import { randomId } from '../base/ids.ts';
import { visible } from '../base/text.ts';

const BYTES = 32;
const OTHERS = 0o077;
const MOST_BYTES = 256;

/** Throws a Fault for a file that others can read, or that is not the user's own. */
export function ownToken(file: string): string {
  makeFolder(path.dirname(file));
  createFileOnce(file, `${randomId(BYTES)}\n`);
  const token = readOwn(file)?.trim() ?? '';
  if (!/^[0-9a-f]{64}$/.test(token)) throw open(file);
  return token;
}

/** What was looked at is what is read, by the descriptor: a link or a pipe in its place is no token. */
function readOwn(file: string): string | undefined {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  let descriptor: number;
  try {
    descriptor = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const stats = fstatSync(descriptor);
    const { mode, uid, size } = stats;
    const isOwn = stats.isFile() && uid === (process.getuid?.() ?? uid) && (mode & OTHERS) === 0;
    return isOwn && size < MOST_BYTES ? readFileSync(descriptor, 'utf8') : undefined;
  } finally {
    closeSync(descriptor);
  }
}

function open(file: string): Fault {
  const shown = visible(file);
  return new Fault(
    'PermissionDenied',
    { en: `${shown} is no token that only you can read`, zh: `${shown} 不是仅您可读的令牌文件` },
    {
      hint: {
        en: 'Remove it: a new one is made at the next start, and clients need that one.',
        zh: '请删除该文件: 下次启动时会生成新令牌，客户端须改用新令牌。',
      },
    },
  );
}
