// The request of the user: the original text, the same normalized, and the skills named in it.
import { Fault } from '../base/errors.ts';
import { visible } from '../base/text.ts';
import type { Index, SkillEntry } from '../registry/discover.ts';
import { resolveSkill } from '../registry/resolve.ts';

export interface RunRequest {
  readonly text: string;
  readonly normalized: string;
  /** Skill ids, in the order they were named. */
  readonly named: readonly string[];
}

const MENTION = /(?<=^|[\s,，。;；:：(（"“])@((?:project:|user:|builtin:)?[\p{L}\p{N}][\p{L}\p{N}._/-]*)/gu;
const PHRASE = /(?:运行技能|run(?: the)? skill)\s*[:：]?\s*[“"'`@]?([\p{L}\p{N}][\p{L}\p{N}._:/-]*)["'`”]?/giu;
// Anywhere but at the very beginning it is a path.
const SLASH = /^\/([\p{L}\p{N}][\p{L}\p{N}._:/-]*)(?=\s|$)/u;

export function readRequest(text: string, index: Index, chosen: readonly string[] = []): RunRequest {
  const tidy = text.normalize('NFC').replace(/\s+/g, ' ').trim();
  const named = new Map<string, SkillEntry>();
  const name = (skill: SkillEntry) => named.set(skill.skillId, skill);
  for (const one of chosen) name(mustResolve(index, one));
  const asMention = (written: string, word: string) => (findExact(index, word) ? `@${word}` : written);
  const normalized = tidy.replace(SLASH, asMention).replace(PHRASE, asMention);
  for (const [at, word] of mentions(normalized)) {
    const skill = at === 0 ? mustResolve(index, word) : findExact(index, word);
    if (skill) name(skill);
  }
  for (const skill of hiddenByName(index, normalized)) name(skill);
  return { text, normalized, named: [...named.keys()] };
}

/** The text after the first mention of a skill. */
export function wordsAfter(request: RunRequest, skill: SkillEntry): string | undefined {
  for (const match of request.normalized.matchAll(MENTION)) {
    const word = trimmed(match[1] ?? '').replace(/^(?:project|user|builtin):/, '');
    if (word === skill.name || word === skill.folderName)
      return request.normalized.slice(match.index + match[0].length).trim();
  }
  return undefined;
}

function mentions(text: string): [number, string][] {
  return [...text.matchAll(MENTION)].map((match) => [match.index, trimmed(match[1] ?? '')]);
}

// A full stop or comma after a name ends the sentence, not the name.
function trimmed(word: string): string {
  return word.replace(/[._/-]+$/, '');
}

function mustResolve(index: Index, word: string): SkillEntry {
  const resolved = resolveSkill(index, word);
  if ('found' in resolved) return resolved.found;
  const suggestions = resolved.suggestions.map(visible);
  throw new Fault('SkillNotFound', visible(resolved.missing), {
    details: { suggestions },
    ...(suggestions.length > 0 && {
      hint: { en: `Did you mean ${suggestions.join(', ')}?`, zh: `是否指 ${suggestions.join('、')}？` },
    }),
  });
}

function findExact(index: Index, word: string): SkillEntry | undefined {
  const resolved = resolveSkill(index, trimmed(word));
  return 'found' in resolved ? resolved.found : undefined;
}

/** Skills that no model may choose need their exact name in the request. */
function hiddenByName({ skills }: Index, text: string): SkillEntry[] {
  const words = new Set(text.split(/[\s,，。;；:：!?！？"“”'`()（）]+/).flatMap((word) => [word, trimmed(word)]));
  return skills.filter(
    (skill) => words.has(skill.name) && skill.state === 'visible' && skill.manifest.disableModelInvocation,
  );
}
