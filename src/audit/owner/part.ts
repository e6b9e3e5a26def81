// The parts an owner's log is made of: each a sealed chain of bounded size, the log under home, its head beside the others.
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, removeTree } from '../../base/files.ts';
import { sha256 } from '../../base/ids.ts';
import { namesIfThere, readIfThere } from '../../base/read-file.ts';
import { projectKey } from '../../store/location.ts';
import { type LogPlace, type Verification, verifyChain } from '../verify.ts';
import { type OwnerRecord, readOwnerRecord } from './event.ts';

/** Whose log: that of a project, or without one the user's own. */
export interface OwnerPlace {
  readonly home: string;
  readonly project?: string;
}

/** So large a part may get before the next one begins; every command reads the last part, so it stays small. */
export const PART_BYTES = 512 * 1024;
/** The oldest parts go; together they stay below 32 MiB. */
export const PARTS_KEPT = 64;

/** No project has this key: theirs end in a hash. */
const USER = 'user';

export interface OwnerParts {
  readonly folder: string;
  readonly lock: string;
  /** Those that were begun; what a kill left before that is none. */
  list(): number[];
  nameOf(part: number): string;
  placeOf(part: number): LogPlace;
  verify(part: number, key: Uint8Array): Verification<OwnerRecord>;
  /** Of the files as they lie there. */
  fingerprint(part: number): string;
  makeRoom(part: number): void;
  remove(part: number): void;
}

export function openParts({ home, project }: OwnerPlace): OwnerParts {
  const key = project === undefined ? USER : projectKey(project);
  const folder = path.join(home, '.agent', 'log', key);
  // Not below the log: whoever takes the one away has not taken the other.
  const heads = path.join(home, '.agent', 'log-register', key);
  const placeOf = (part: number): LogPlace => ({
    folder: path.join(folder, String(part)),
    head: path.join(heads, String(part)),
    project: { path: key, folder: '' },
  });
  const nameOf = (part: number): string => `owner ${key} ${part}`;
  return {
    folder,
    lock: path.join(heads, 'lock'),
    list: () => numbersIn([...namesIfThere(heads), ...namesIfThere(folder)]).filter((part) => isBegun(placeOf(part))),
    nameOf,
    placeOf,
    verify: (part, seal) => verifyChain(placeOf(part), nameOf(part), seal, readOwnerRecord),
    fingerprint(part) {
      const place = placeOf(part);
      const files = [path.join(place.folder, 'events.jsonl'), place.head];
      return sha256(files.map((file) => sha256(readIfThere(file) ?? '')).join('\n'));
    },
    makeRoom(part) {
      makeFolder(heads);
      makeFolder(placeOf(part).folder);
    },
    remove(part) {
      removeTree(placeOf(part).folder);
      removeTree(placeOf(part).head);
    },
  };
}

/** The head is written first, at once, and before the first line. */
function isBegun({ folder, head }: LogPlace): boolean {
  return [head, path.join(folder, 'events.jsonl')].some(
    (file) => (lstatSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0,
  );
}

function numbersIn(names: readonly string[]): number[] {
  const numbers = names.filter((name) => /^[1-9]\d{0,8}$/.test(name)).map(Number);
  return [...new Set(numbers)].sort((a, b) => a - b);
}
