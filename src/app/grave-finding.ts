// Whether content inspection finds something grave in the files that a call would run; each digest is looked at once.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sha256 } from '../base/ids.ts';
import { isAtLeast } from '../config/severity.ts';
import type { Door } from '../door/door.ts';
import type { SkillEntry } from '../registry/discover.ts';
import { digestSkill } from '../skill/digest.ts';

export function openFindings(): Door['hasGraveFinding'] {
  const known = new Map<string, Promise<boolean>>();
  return (skill, digest) => {
    const found = known.get(digest) ?? inspect(skill, digest);
    known.set(digest, found);
    return found;
  };
}

/** What cannot be looked at as it was hashed counts as grave. */
async function inspect(skill: SkillEntry, digest: string): Promise<boolean> {
  const { openInspector } = await import('../distribution/vet/vet.ts');
  const inspector = openInspector();
  const now = digestSkill(skill);
  if (now.digest !== digest) return true;
  for (const { path: name, mode, sha256: hash } of now.files) {
    if (mode === 'link') continue;
    const content = readFileSync(path.join(skill.folder, name));
    if (sha256(content) !== hash) return true;
    inspector.see({ path: name, executable: mode === 'executable' }, content);
  }
  return inspector.conclude(skill.manifest).findings.some(({ severity }) => isAtLeast(severity, 'HIGH'));
}
