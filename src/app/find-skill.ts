// The skill a person named: by its name, or by the path of its folder.

import { statSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { realPath } from '../base/paths.ts';
import { typedWord } from '../base/text/shell-word.ts';
import { visible } from '../base/text.ts';
import { isArchiveName } from '../distribution/archive/types.ts';
import type { Index, SkillEntry } from '../registry/discover.ts';
import { damagedSkill, skillNamed } from '../registry/named-skill.ts';
import { SOURCES } from '../skill/skill.ts';

export function findSkill(index: Index, written: string, askedSource?: string): SkillEntry {
  const source = SOURCES.find((known) => known === askedSource);
  if (isArchiveName(written) && !isThere(written)) throw noPack(written);
  return (looksLikePath(written) && skillAt(index, path.resolve(written))) || skillNamed(index, written, source);
}

// `org/name` is a name; a path that is there can be told from it.
function looksLikePath(written: string): boolean {
  return /^[.~/]|\//.test(written) && isThere(written);
}

function isThere(written: string): boolean {
  return statSync(path.resolve(written), { throwIfNoEntry: false }) !== undefined;
}

// Whoever names a pack looks for a file, not for a skill.
function noPack(written: string): Fault {
  const shown = visible(written);
  return new Fault('DataNotFound', { en: `there is no file ${shown}`, zh: `没有文件 ${shown}` });
}

/** Of the folder or of its SKILL.md. Throws a Fault for a place that is no skill anybody would find. */
function skillAt(index: Index, target: string): SkillEntry | undefined {
  const real = realPath(target);
  const isThere = (file: string) => [realPath(file), realPath(path.dirname(file))].includes(real);
  const found = index.skills.find(({ file }) => isThere(file));
  if (found) return found;
  const damaged = index.invalid.find(({ file }) => isThere(file));
  if (damaged) throw damagedSkill(damaged);
  const shown = visible(target);
  throw new Fault('SkillNotFound', shown, {
    hint: {
      en: `It lies in no folder of skills. \`skillwright validate ${typedWord(target)}\` checks it where it is.`,
      zh: `它不在任何技能目录中。\`skillwright validate ${typedWord(target)}\` 可就地检查。`,
    },
  });
}
