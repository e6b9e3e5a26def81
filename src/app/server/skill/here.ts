// What of a served skill is here already: the same one, installed, and others that go by its name.
import { readLock } from '../../../distribution/lock.ts';
import { findPlaces, type InstallScope } from '../../../distribution/place.ts';
import { servedLocation } from '../../../distribution/source/served-name.ts';
import type { ServerSkill } from '../../../network/mcp/server-skill.ts';
import type { SkillEntry } from '../../../registry/discover.ts';
import type { Runtime } from '../../runtime.ts';

export interface InstalledServed {
  readonly scope: InstallScope;
  /** Of its files, as the lock has it. */
  readonly digest: string;
  /** The server still lists what was installed. */
  readonly isCurrent: boolean;
}

export interface SkillHere {
  readonly installed: readonly InstalledServed[];
  /** None of them is hidden or replaced by it without a person's yes. */
  readonly others: readonly Pick<SkillEntry, 'skillId' | 'source' | 'folder'>[];
}

/** Looks the files of the locks and the skills up once, for all of them. */
export function lookHere(server: string, runtime: Runtime): (skill: ServerSkill) => SkillHere {
  const places = findPlaces(runtime).map((place) => ({ ...place, skills: readLock(place.lockFile).skills }));
  const { skills } = runtime.index();
  return ({ uri, name, digest }) => {
    const location = servedLocation(server, uri);
    const found = places.flatMap(({ scope, root, skills: locked }) =>
      locked
        .filter(({ source }) => source.kind === 'mcp' && source.location === location)
        .map((skill) => ({ scope, root, skill })),
    );
    const isFound = (one: SkillEntry) =>
      found.some(({ root, skill }) => root === one.root && skill.folder === one.folderName);
    return {
      installed: found.map(({ scope, skill }) => ({
        scope,
        digest: skill.digest,
        isCurrent: skill.source.digest === digest,
      })),
      others: skills
        .filter((one) => one.name.toLowerCase() === name.toLowerCase() && !isFound(one))
        .map(({ skillId, source, folder }) => ({ skillId, source, folder })),
    };
  };
}
