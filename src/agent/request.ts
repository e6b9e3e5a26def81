// The request of the user: the original text, the same normalized, and the skills named in it.
import { mentionAddressed } from '../registry/address.ts';
import type { Index, SkillEntry } from '../registry/discover.ts';
import { damagedSkill, skillNamed } from '../registry/named-skill.ts';
import { resolveSkill } from '../registry/resolve.ts';
import type { Source } from '../skill/skill.ts';
import type { SkillId } from '../skill/skill-id.ts';

export interface RunRequest {
  readonly text: string;
  readonly normalized: string;
  /** Skill ids, in the order they were named. */
  readonly named: readonly SkillId[];
  /** Where the named ones were looked for. */
  readonly source?: Source;
  /** What a skill that works on its own was given: the words for its placeholders. */
  readonly input?: string;
  /** The folder of the project its paths are meant from; absent: the project folder. */
  readonly from?: string;
}

/** What is said beside the text. */
export interface RequestNotes {
  readonly skills?: readonly string[];
  readonly source?: Source | undefined;
  readonly from?: string | undefined;
}

const MENTION = /(?<=^|[\s,，。;；:：(（"“])@((?:project:|user:|builtin:)?[\p{L}\p{N}][\p{L}\p{N}._/-]*)/gu;
const PHRASE = /(?:运行技能|run(?: the)? skill)\s*[:：]?\s*[“"'`@]?([\p{L}\p{N}][\p{L}\p{N}._:/-]*)["'`”]?/giu;
// Anywhere but at the very beginning it is a path.
const SLASH = /^\/([\p{L}\p{N}][\p{L}\p{N}._:/-]*)(?=\s|$)/u;

export function readRequest(text: string, index: Index, { skills = [], source, from }: RequestNotes = {}): RunRequest {
  const tidy = text.normalize('NFC').replace(/\s+/g, ' ').trim();
  const named = new Map<SkillId, SkillEntry>();
  const name = (skill: SkillEntry) => named.set(skill.skillId, skill);
  for (const one of skills) name(skillNamed(index, one, source));
  const asMention = (written: string, word: string) => (isKnown(index, word) ? `@${word}` : written);
  const normalized = mentionAddressed(tidy.replace(SLASH, asMention)).replace(PHRASE, asMention);
  for (const [at, word] of mentions(normalized)) {
    const skill = at === 0 ? skillNamed(index, word, source) : findExact(index, word);
    if (skill) name(skill);
  }
  for (const skill of hiddenByName(index, normalized)) name(skill);
  return { text, normalized, named: [...named.keys()], ...(source && { source }), ...(from && { from }) };
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

function isKnown(index: Index, word: string): boolean {
  return !('missing' in resolveSkill(index, trimmed(word)));
}

/** Throws the Fault of a damaged skill: no other one answers for it. */
function findExact(index: Index, word: string): SkillEntry | undefined {
  const resolved = resolveSkill(index, trimmed(word));
  if ('damaged' in resolved) throw damagedSkill(resolved.damaged);
  return 'found' in resolved ? resolved.found : undefined;
}

/** Skills that no model may choose need their exact name in the request. */
function hiddenByName({ skills }: Index, text: string): SkillEntry[] {
  const words = new Set(text.split(/[\s,，。;；:：!?！？"“”'`()（）]+/).flatMap((word) => [word, trimmed(word)]));
  return skills.filter(
    (skill) => words.has(skill.name) && skill.state === 'visible' && skill.manifest.disableModelInvocation,
  );
}
