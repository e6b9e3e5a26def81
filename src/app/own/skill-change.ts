// What becomes of skills, as the owner's log keeps it: names, versions, sources and digests.
import path from 'node:path';
import type { SkillChange } from '../../audit/owner/event.ts';
import type { JudgedSkill } from '../../distribution/judge.ts';
import type { LockedSkill } from '../../distribution/lock.ts';
import type { InstallPlace } from '../../distribution/place.ts';
import type { Origin } from '../../distribution/source/offer.ts';
import { filesIn, type TrashRecord } from '../../distribution/trash.ts';
import type { Located } from '../../distribution/uninstall.ts';
import { digestSkill } from '../../skill/digest.ts';

export function installedBy(items: readonly JudgedSkill[], { root }: InstallPlace): SkillChange[] {
  const changing = items.filter(({ action }) => action !== 'unchanged');
  return changing.map(({ candidate: { manifest, digest, origin, folderName } }) => ({
    skill: manifest.name,
    ...(manifest.version !== undefined && { version: manifest.version }),
    source: nameOfOrigin(origin),
    before: digestNow(path.join(root, folderName)),
    after: digest.digest,
  }));
}

export function removed({ name, folderName }: Located, { root }: InstallPlace): SkillChange {
  return { skill: name, before: digestNow(path.join(root, folderName)), after: null };
}

export function broughtBack(record: TrashRecord, { root, trash }: InstallPlace): SkillChange {
  const { name, folderName, locked } = record;
  return {
    skill: name,
    ...(locked?.version !== undefined && { version: locked.version }),
    before: digestNow(path.join(root, folderName)),
    after: digestNow(filesIn(trash, record)),
  };
}

/** What cannot come back from the trash any more. */
export function purged(record: TrashRecord, trash: string): SkillChange {
  const { name, locked } = record;
  return {
    skill: name,
    ...(locked?.version !== undefined && { version: locked.version }),
    before: digestNow(filesIn(trash, record)),
    after: null,
  };
}

/** Only where the locks differ. */
export function lockedAnew(before: readonly LockedSkill[], after: readonly LockedSkill[]): SkillChange[] {
  const names = new Set([...before, ...after].map(({ name }) => name));
  const digestIn = (skills: readonly LockedSkill[], wanted: string) =>
    skills.find(({ name }) => name === wanted)?.digest ?? null;
  return [...names]
    .map((skill) => ({ skill, before: digestIn(before, skill), after: digestIn(after, skill) }))
    .filter((change) => change.before !== change.after);
}

/** What cannot be read has no digest, and can be taken away all the same. */
function digestNow(folder: string): string | null {
  try {
    return digestSkill(folder).digest;
  } catch {
    return null;
  }
}

function nameOfOrigin({ location, commit }: Origin): string {
  return commit === undefined ? location : `${location}@${commit}`;
}
