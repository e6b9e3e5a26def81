// The sealed head of a log: how long it was and how it ended, signed with a key that never leaves home.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { createFileOnce, makeFolder, overwriteFile } from '../base/files.ts';
import { canonicalJson, isRecord } from '../base/json.ts';
import { isNotFound, readTextIfThere } from '../base/read-file.ts';

export interface Head {
  readonly run: string;
  readonly events: number;
  /** Of the last line that was sealed. */
  readonly hash: string;
  /** The run came to its end; nothing may follow. */
  readonly ended: boolean;
}

const KEY_BYTES = 32;
// Longer than any head, so that each takes the place of the one before in a single write, which no kill cuts in two.
const HEAD_LENGTH = 320;

/** The key of this user, made on first use. */
export function openAuditKey(home: string): Uint8Array {
  const file = path.join(home, '.agent', 'keys', 'audit.key');
  const found = readKey(file);
  if (found) return found;
  makeFolder(path.dirname(file));
  createFileOnce(file, randomBytes(KEY_BYTES));
  const made = readKey(file);
  if (!made) throw new Fault('IntegrityMismatch', file);
  return made;
}

export function writeHead(file: string, head: Head, key: Uint8Array): void {
  const line = JSON.stringify({ ...head, seal: sealOf(head, key) });
  overwriteFile(file, `${line.padEnd(HEAD_LENGTH)}\n`);
}

/** The head if its seal is ours; `forged` when it is not, undefined when there is none. */
export function readHead(file: string, key: Uint8Array): Head | 'forged' | undefined {
  const head = readHeadOnce(file, key);
  // A run that goes on may just have been writing it.
  return head === 'forged' ? readHeadOnce(file, key) : head;
}

function readHeadOnce(file: string, key: Uint8Array): Head | 'forged' | undefined {
  const text = readTextIfThere(file);
  if (text === undefined) return undefined;
  const value = parse(text);
  if (!isRecord(value)) return 'forged';
  const { run, events, hash, ended, seal } = value;
  if (typeof run !== 'string' || typeof events !== 'number' || typeof hash !== 'string') return 'forged';
  if (typeof ended !== 'boolean' || typeof seal !== 'string') return 'forged';
  const head = { run, events, hash, ended };
  const [mine, theirs] = [Buffer.from(sealOf(head, key)), Buffer.from(seal)];
  return mine.length === theirs.length && timingSafeEqual(mine, theirs) ? head : 'forged';
}

function sealOf(head: Head, key: Uint8Array): string {
  return createHmac('sha256', key)
    .update(`skillwright audit head 1\n${canonicalJson(head)}`)
    .digest('hex');
}

function readKey(file: string): Uint8Array | undefined {
  try {
    const key = readFileSync(file);
    if (key.length !== KEY_BYTES) throw new Fault('IntegrityMismatch', file);
    return key;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
