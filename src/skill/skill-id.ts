// The id of a skill among all that are seen here: a name alone, or a folder, is none.
import { isWord } from '../base/value/shape.ts';
import { SOURCES, type Source } from './skill.ts';

/** `source:name@version`, or `source:name` where the author gave no version. */
export type SkillId = `${Source}:${string}`;

export function skillIdOf(source: Source, name: string, version?: string): SkillId {
  return version === undefined ? `${source}:${name}` : `${source}:${name}@${version}`;
}

const isSource = isWord(SOURCES);

export function isSkillId(value: unknown): value is SkillId {
  if (typeof value !== 'string') return false;
  const at = value.indexOf(':');
  return at < value.length - 1 && isSource(value.slice(0, Math.max(0, at)));
}
