// One JSON file per record, under home, keyed by the project's real path; a file that others could have written is no record.
import { lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createFileOnce, makeFolder, removeTree, takeFile } from '../base/files.ts';
import { sha256 } from '../base/ids.ts';
import { isRecord, parseJson } from '../base/json.ts';
import { realPath } from '../base/paths.ts';
import { isNotFound, namesIfThere } from '../base/read-file.ts';

export interface PrivateFolder {
  /** The project's real path, which every record must name. */
  readonly project: string;
  /** False when the id is in use. */
  add(id: string, record: object): boolean;
  get(id: string): Record<string, unknown> | undefined;
  all(): Record<string, unknown>[];
  /** Gets and removes; of several callers exactly one receives it. */
  take(id: string): Record<string, unknown> | undefined;
  remove(id: string): boolean;
}

const SIZE_LIMIT = 1024 * 1024;
const ID = /^[0-9a-f]{8,64}$/;

export function openPrivateFolder(
  home: string,
  kind: 'grants' | 'interrupts' | 'approved' | 'seen' | 'prepared',
  project: string,
): PrivateFolder {
  const real = realPath(project) ?? path.resolve(project);
  const folder = path.join(home, '.agent', kind, sha256(real));
  const fileOf = (id: string): string => path.join(folder, `${id}.json`);
  const check = (text: string | undefined, id: string): Record<string, unknown> | undefined => {
    const record = text === undefined ? undefined : parseRecord(text);
    return record?.project === real && record.id === id ? record : undefined;
  };
  return {
    project: real,
    add(id, record) {
      makeFolder(folder);
      return createFileOnce(fileOf(id), `${JSON.stringify({ ...record, id, project: real })}\n`);
    },
    get: (id) => (ID.test(id) ? check(readPrivate(fileOf(id)), id) : undefined),
    all() {
      const ids = namesIfThere(folder)
        .sort()
        .map((name) => path.basename(name, '.json'));
      const records = ids.map((id) => (ID.test(id) ? check(readPrivate(fileOf(id)), id) : undefined));
      return records.filter((record) => record !== undefined);
    },
    take(id) {
      if (!ID.test(id) || readPrivate(fileOf(id)) === undefined) return undefined;
      return check(takeFile(fileOf(id)), id);
    },
    remove(id) {
      const isThere = ID.test(id) && readPrivate(fileOf(id)) !== undefined;
      if (isThere) removeTree(fileOf(id));
      return isThere;
    },
  };
}

function readPrivate(file: string): string | undefined {
  try {
    const state = lstatSync(file);
    const isOurs = process.getuid === undefined || state.uid === process.getuid();
    const isPrivate = process.platform === 'win32' || (state.mode & 0o022) === 0;
    if (!state.isFile() || !isOurs || !isPrivate || state.size > SIZE_LIMIT) return undefined;
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function parseRecord(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseJson(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
