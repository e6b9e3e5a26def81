// Seals of the record: a MAC at the end of a line of JSON, made with a key that never leaves home.
import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { createFileOnce, makeFolder } from '../base/files.ts';
import { crypto } from '../base/ids.ts';
import { isNotFound } from '../base/read-file.ts';

/** The purpose of a key (domain separation): a seal of one kind is never valid for another, nor for another run. */
export type SealUse = `line ${string}` | 'head' | 'pruned' | 'apply' | 'environment';

const KEY_BYTES = 32;
const FIELD = ',"seal":"';
// Half of the MAC is 128 bits: nobody guesses that, and every line carries it.
const SEAL_LENGTH = 32;

/** The key of this user, created on first use. */
export function openAuditKey(home: string): Uint8Array {
  const file = path.join(home, '.agent', 'keys', 'audit.key');
  const found = readKey(file);
  if (found) return found;
  makeFolder(path.dirname(file));
  createFileOnce(file, crypto().randomBytes(KEY_BYTES));
  const made = readKey(file);
  if (!made) throw new Fault('IntegrityMismatch', file);
  return made;
}

/** As a key object: several times faster to use than its bytes. */
export function keyFor(use: SealUse, key: Uint8Array): KeyObject {
  const { createHmac, createSecretKey } = crypto();
  return createSecretKey(createHmac('sha256', key).update(`skillwright audit 2 ${use}`).digest());
}

/** One object as JSON, with its seal as the last field. */
export function sealJson(json: string, key: KeyObject): string {
  return `${json.slice(0, -1)}${FIELD}${codeOf(json, key)}"}`;
}

/** The JSON that was sealed; undefined when the seal is missing or not ours. */
export function unsealJson(sealed: string, key: KeyObject): string | undefined {
  const at = sealed.length - FIELD.length - SEAL_LENGTH - 2;
  if (at < 0 || !sealed.startsWith(FIELD, at) || !sealed.endsWith('"}')) return undefined;
  const json = `${sealed.slice(0, at)}}`;
  const [mine, theirs] = [Buffer.from(codeOf(json, key)), Buffer.from(sealed.slice(-SEAL_LENGTH - 2, -2))];
  return mine.length === theirs.length && crypto().timingSafeEqual(mine, theirs) ? json : undefined;
}

function codeOf(text: string, key: KeyObject): string {
  return crypto().createHmac('sha256', key).update(text).digest('hex').slice(0, SEAL_LENGTH);
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
