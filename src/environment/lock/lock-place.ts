// Where the lock of a project lies, and whether it still says what was agreed to: found out without a schema, before every preparation.
import path from 'node:path';
import { isRecord, jsonIfValid } from '../../base/json.ts';
import { readTextIfThere } from '../../base/read-file.ts';
import type { Digest } from '../../base/value/digest.ts';
import { hashOf } from './lock-entry.ts';

export function lockPlace(project: string): string {
  return path.join(project, '.agent', 'environments.lock.json');
}

/** The very entry, unchanged. Whatever else is wrong with the file is for whoever reads it as a whole. */
export function isLocked(file: string, hash: Digest, needs: Digest): boolean {
  const lock = jsonIfValid(readTextIfThere(file) ?? 'null');
  const listed = isRecord(lock) && Array.isArray(lock.environments) ? lock.environments.filter(isRecord) : [];
  return listed.some(({ hash: written, resolved: _resolved, trees: _trees, ...entry }) => {
    return written === hash && entry.needs === needs && hashOf(entry) === hash;
  });
}
