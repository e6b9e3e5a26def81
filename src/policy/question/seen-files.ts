// Which files of a skill a person has said yes to last, by their hashes: so that the next question can say what is new.
import { sha256 } from '../../base/ids.ts';
import { isMapOf, isText } from '../../base/value/shape.ts';
import type { DigestFile } from '../../skill/digest.ts';
import { openPrivateFolder } from '../private-folder.ts';

type Hashes = Readonly<Record<string, string>>;

/** Paths in the skill. */
export interface SinceLastYes {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** It only tells: no permission rests on it. */
export interface SeenFiles {
  /** Undefined where nothing is new, or nobody said yes before. */
  since(skill: string, files: readonly DigestFile[]): SinceLastYes | undefined;
  keep(skill: string, files: readonly DigestFile[]): void;
}

// More than a person reads, and than one record holds.
const MOST_FILES = 4000;

export function openSeenFiles(home: string, project: string): SeenFiles {
  const folder = openPrivateFolder(home, 'seen', project);
  return {
    since(skill, files) {
      const seen = folder.get(idOf(skill))?.files;
      return isHashes(seen) ? compareFiles(seen, hashesOf(files)) : undefined;
    },
    keep(skill, files) {
      const id = idOf(skill);
      folder.remove(id);
      if (files.length <= MOST_FILES) folder.add(id, { skill, files: hashesOf(files) });
    },
  };
}

export function compareFiles(before: Hashes, now: Hashes): SinceLastYes | undefined {
  const added = Object.keys(now).filter((name) => !Object.hasOwn(before, name));
  const changed = Object.keys(now).filter((name) => Object.hasOwn(before, name) && before[name] !== now[name]);
  const removed = Object.keys(before).filter((name) => !Object.hasOwn(now, name));
  return [...added, ...changed, ...removed].length === 0 ? undefined : { added, changed, removed };
}

function hashesOf(files: readonly DigestFile[]): Hashes {
  return Object.fromEntries(files.map(({ path, mode, sha256: hash }) => [path, `${mode} ${hash}`]));
}

function idOf(skill: string): string {
  return sha256(skill);
}

const isHashes = isMapOf(isText);
