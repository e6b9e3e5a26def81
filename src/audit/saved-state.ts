// state.json: the state a resumed run starts from. Saved in two alternating files, so that a kill during one write leaves the other.
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { moveTree, overwriteFile, removeTree } from '../base/files.ts';
import { sha256 } from '../base/ids.ts';
import { type Json, parseJson } from '../base/json.ts';
import { readTextIfThere } from '../base/read-file.ts';
import type { AuditRecord } from './event.ts';

export interface StateFiles {
  write(text: string): void;
  /** From here on state.json is the latest, and the only one. */
  settle(): void;
}

export interface SavedState {
  readonly file: string;
  readonly state: Json;
}

const NAME = 'state.json';
const OTHER = 'state.next.json';

/** `latest`: the file that must not be overwritten when the run continues. */
export function openStateFiles(folder: string, latest?: string): StateFiles {
  const named = path.join(folder, NAME);
  const other = path.join(folder, OTHER);
  let last = latest;
  return {
    // Written in place: creating and renaming a file every turn would cost more than the turn.
    write(text) {
      last = last === named ? other : named;
      overwriteFile(last, text);
    },
    settle() {
      if (last === other) moveTree(other, named);
      else removeTree(other);
      if (last !== undefined) last = named;
    },
  };
}

/** The last announced state, or an earlier one where the run was killed before it was written. */
export function readSavedState(folder: string, records: readonly AuditRecord[]): SavedState {
  const files = [NAME, OTHER].flatMap((name) => {
    const file = path.join(folder, name);
    const text = readTextIfThere(file);
    return text === undefined ? [] : [{ file, text }];
  });
  if (files.length === 0) throw new Fault('DataNotFound', path.join(path.basename(folder), NAME));
  const [found] = acceptable(records).flatMap((hash) => files.find(({ text }) => sha256(text) === hash) ?? []);
  if (!found) throw new Fault('IntegrityMismatch', path.join(path.basename(folder), NAME));
  return { file: found.file, state: parseJson(found.text) };
}

/** The hashes a saved state may have, the latest first: each kill loses one announced state at most. */
function acceptable(records: readonly AuditRecord[]): string[] {
  const hashes: string[] = [];
  let kills = 1;
  for (const record of records.toReversed()) {
    if (record.type === 'run-resumed') kills++;
    if (record.type !== 'checkpoint') continue;
    hashes.push(record.sha256);
    if (hashes.length > kills) break;
  }
  return hashes;
}
