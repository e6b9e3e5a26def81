// The folder below the root that each skill is installed into: where its lock has it, else the folder of its source.
import type { SkillEntry } from '../registry/discover.ts';
import { canonicalKey } from './archive/name.ts';
import type { Lock } from './lock.ts';
import type { InstallPlace } from './place.ts';
import { isFolderName, type ReadSkill } from './source/offered-skill.ts';

/** A skill stays where it was installed; one whose folder belongs to a skill of another name goes by its own name. */
export function assignFolders<One extends ReadSkill>(
  candidates: readonly One[],
  lock: Lock,
  { root }: Pick<InstallPlace, 'root'>,
  known: readonly SkillEntry[],
): One[] {
  const here = known.filter((skill) => skill.root === root);
  const owners = [
    ...lock.skills,
    ...here.map(({ name, folderName }) => ({ name, folder: folderName })),
    ...candidates.map(({ manifest: { name }, folderName }) => ({ name, folder: folderName })),
  ];
  return candidates.map((candidate) => {
    const { folderName, manifest } = candidate;
    const locked = lock.skills.find(({ name }) => name === manifest.name);
    if (locked) return { ...candidate, folderName: locked.folder };
    const key = canonicalKey([folderName]);
    const isTaken = owners.some(({ name, folder }) => name !== manifest.name && canonicalKey([folder]) === key);
    return isTaken && isFolderName(manifest.name) ? { ...candidate, folderName: manifest.name } : candidate;
  });
}
