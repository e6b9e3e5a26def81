// The token of a server on this machine: made once, in a file that its owner alone can read.
import { lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { createFileOnce, makeFolder } from '../base/files.ts';
import { randomId } from '../base/ids.ts';
import { visible } from '../base/text.ts';

const BYTES = 32;
const OTHERS = 0o077;

/** Throws a Fault for a file that others can read, or that is not the user's own. */
export function ownToken(file: string): string {
  makeFolder(path.dirname(file));
  createFileOnce(file, `${randomId(BYTES)}\n`);
  const stats = lstatSync(file);
  const isOwn = stats.isFile() && stats.uid === (process.getuid?.() ?? stats.uid);
  if (!isOwn || (stats.mode & OTHERS) !== 0) throw open(file);
  const token = readFileSync(file, 'utf8').trim();
  if (!/^[0-9a-f]{64}$/.test(token)) throw open(file);
  return token;
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
