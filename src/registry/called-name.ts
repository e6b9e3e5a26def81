// The name people use for a skill: its name; for one of an organisation its folder, because names alone could collide.
import type { SkillEntry } from './discover.ts';

type Named = Pick<SkillEntry, 'name' | 'folderName' | 'ofRole'>;

/** A skill of a role carries the role in its name already. */
export function calledName({ name, folderName, ofRole }: Named): string {
  return folderName.includes('/') && !ofRole ? folderName : name;
}
