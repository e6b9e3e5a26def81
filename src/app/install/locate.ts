// The installed skill a person named, with the place it lies in.
import { readdirSync } from 'node:fs';
import { Fault } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import { findPlaces, type InstallPlace, placeAt } from '../../distribution/place.ts';
import { isFolderName } from '../../distribution/source/offered-skill.ts';
import { recover } from '../../distribution/transaction.ts';
import type { Located } from '../../distribution/uninstall.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import { findSkill } from '../find-skill.ts';
import type { Runtime } from '../runtime.ts';

export interface SkillInPlace {
  readonly place: InstallPlace;
  readonly skill: Located;
}

/** By name and source; where SKILL.md is too broken for a name, by its folder. */
export function locateSkill(runtime: Runtime, written: string, source: string | undefined): SkillInPlace {
  for (const place of findPlaces(runtime)) recover(place);
  const index = runtime.index();
  const broken = index.invalid.find(
    (one) => one.folderName === written && (source === undefined || one.source === source),
  );
  const place =
    broken && findPlaces(runtime).find(({ scope, root }) => scope === broken.source && hasFolder(root, written));
  if (broken && place && isFolderName(written)) return { place, skill: { name: written, folderName: written } };
  const skill = findSkill(index, written, source);
  return { place: placeOf(skill, runtime), skill };
}

function placeOf(skill: SkillEntry, runtime: Runtime): InstallPlace {
  const root = runtime.roots.find(({ folder, source }) => folder === skill.root && source === skill.source);
  if (!root) throw new Fault('SkillNotFound', visible(skill.name));
  return placeAt(root, runtime);
}

function hasFolder(root: string, name: string): boolean {
  try {
    return readdirSync(root).includes(name);
  } catch {
    return false;
  }
}
