// Skills the request itself calls for, in its order; a name that is denied, or only talked about, calls nothing.
import type { Index, SkillEntry } from '../../registry/discover.ts';
import { resolveSkill } from '../../registry/resolve.ts';
import { isStopWord } from '../../registry/tokenize.ts';

export interface Mention {
  readonly skill: SkillEntry;
  readonly start: number;
  readonly end: number;
  /** Written as an address, so that what follows is meant for the skill. */
  readonly addressed: boolean;
}

export interface Mentions {
  readonly called: readonly Mention[];
  readonly refused: ReadonlySet<SkillEntry>;
  /** Called for by a name that no skill has. */
  readonly unknown?: { readonly name: string; readonly suggestions: readonly string[] };
}

/** The names of all skills, made ready once for any number of requests. */
export interface SkillNames {
  find(word: string): SkillEntry | undefined;
  suggest(word: string): readonly string[];
}

export function readNames(index: Index): SkillNames {
  const known = new Set(
    index.skills.flatMap(({ name, folderName }) => [name, folderName, lastPart(folderName)]).map(slug),
  );
  return {
    find(word) {
      if (!known.has(slug(withoutSource(word)))) return undefined;
      const resolved = resolveSkill(index, word);
      return 'found' in resolved ? resolved.found : undefined;
    },
    suggest(word) {
      const resolved = resolveSkill(index, word);
      return 'found' in resolved ? [resolved.found.name] : resolved.suggestions;
    },
  };
}

export function findMentions(request: string, names: SkillNames): Mentions {
  const addressed = findAddresses(request, names);
  const spoken = findSpoken(request, names, addressed.mentions);
  const all = [...addressed.mentions, ...spoken].toSorted((a, b) => a.start - b.start);
  const refused = new Set(all.filter(({ start }) => isRefused(request, start)).map(({ skill }) => skill));
  const called = new Map<SkillEntry, Mention>();
  for (const mention of all)
    if (!refused.has(mention.skill)) called.set(mention.skill, called.get(mention.skill) ?? mention);
  return {
    called: [...called.values()],
    refused,
    ...(addressed.unknown !== undefined && {
      unknown: { name: addressed.unknown, suggestions: names.suggest(addressed.unknown) },
    }),
  };
}

const WORD = String.raw`[\p{L}\p{N}][\p{L}\p{N}_.:/-]*`;
const AT = new RegExp(String.raw`(?<![\w.@])@(?<word>${WORD})`, 'giu');
const PHRASE = new RegExp(
  String.raw`(?:(?:运行|使用|调用|执行|用)(?:一下)?技能|\b(?:run|use|invoke|call)\s+(?:the\s+)?skill\b)\s*[:：]?\s*["“'\x60@]?(?<word>${WORD})`,
  'giu',
);
const SPOKEN = /(?<![\w.~@/-])(?<slash>\/)?(?<word>[a-z0-9][a-z0-9_.-]*(?:\/[a-z0-9][a-z0-9_.-]*)?)(?!\/)/gi;
/** Characters before a name that say how it is meant. */
const CONTEXT = 60;
const REFUSED =
  /(?:\bnot|n['’]t|\bno|\bnever|\bwithout|\binstead of|\brather than|\bexcept|不是|不用|不要用?|不使用|别用|而非)\s*(?:the\s+|use\s+|run\s+|using\s+|a\s+)?["'“`@/]*$/i;
/** Told as done, in the same sentence. */
const BEHIND = /\b(?:finished|completed|ran|done with|after|already|just)\b[^.!?。！？\n]*$/i;
const CALLING = /(?:\buse|\busing|\brun|\bwith|\bvia|\binvoke|\bcall|用|调用|运行|通过)\s*(?:the\s+)?["'“`]*$/i;
const IS_SKILL = /^["'”`]*\s*(?:skill\b|技能)/i;
const SENTENCE_START = /(?:^|[.!?。！？;；,，:：\n]|\bthen|然后|再)\s*$/i;

/** `@name`, `运行技能 name`, `run skill name`: one that no skill has is worth a word, unless it may be anything. */
function findAddresses(request: string, names: SkillNames): { mentions: Mention[]; unknown?: string } {
  const mentions: Mention[] = [];
  const unknown: string[] = [];
  for (const match of [...request.matchAll(PHRASE), ...request.matchAll(AT)]) {
    const word = trimmed(match.groups?.word ?? '');
    const found = longestName(word, names);
    const from = match.index + match[0].length - (match.groups?.word?.length ?? 0);
    if (found) {
      const start = request[from - 1] === '@' ? from - 1 : from;
      if (!mentions.some((one) => one.start === start))
        mentions.push({ skill: found.skill, start, end: from + found.length, addressed: true });
    } else if ((match.index === 0 || !match[0].startsWith('@')) && !isStopWord(word.toLowerCase())) unknown.push(word);
  }
  const [first] = unknown;
  return { mentions, ...(first !== undefined && mentions.length === 0 && { unknown: first }) };
}

/** `/name` where a command could stand, `use some-name`, `the name skill`. */
function findSpoken(request: string, names: SkillNames, taken: readonly Mention[]): Mention[] {
  const mentions: Mention[] = [];
  for (const match of request.matchAll(SPOKEN)) {
    const word = trimmed(match.groups?.word ?? '');
    const start = match.index;
    if (taken.some((one) => start >= one.start && start < one.end)) continue;
    const skill = names.find(word);
    const end = start + (match.groups?.slash ?? '').length + word.length;
    if (!skill || !isCalled(request, start, end, word, match.groups?.slash !== undefined)) continue;
    mentions.push({ skill, start, end, addressed: match.groups?.slash !== undefined || start === 0 });
  }
  return mentions;
}

function isCalled(request: string, start: number, end: number, word: string, hasSlash: boolean): boolean {
  const before = request.slice(Math.max(0, start - CONTEXT), start);
  const after = request.slice(end, end + CONTEXT);
  const isAsked = CALLING.test(before);
  if (isRefused(request, start)) return true;
  if (BEHIND.test(before)) return false;
  if (hasSlash) return isAsked || SENTENCE_START.test(before);
  // An everyday word is a name only where it is called a skill.
  if (!/[-_]/.test(word)) return isAsked && IS_SKILL.test(after);
  return isAsked || (start === 0 && !beginsSentence(after));
}

/** "reverse-engineer a file" is a sentence, "reverse-engineer a.bin" is a command. */
function beginsSentence(after: string): boolean {
  const [next = ''] = after.trim().split(/\s+/, 1);
  return isStopWord(next.toLowerCase());
}

function isRefused(request: string, start: number): boolean {
  return REFUSED.test(request.slice(Math.max(0, start - CONTEXT), start));
}

/** Chinese puts no space behind a name, so the longest beginning that is a name counts. */
function longestName(word: string, names: SkillNames): { skill: SkillEntry; length: number } | undefined {
  for (let length = word.length; length > 0; length--) {
    if (length < word.length && isInsideWord(word, length)) continue;
    const skill = names.find(word.slice(0, length));
    if (skill) return { skill, length };
  }
  return undefined;
}

function isInsideWord(word: string, at: number): boolean {
  const isPlain = (character: string | undefined) => character !== undefined && /[\w.-]/.test(character);
  return isPlain(word[at - 1]) && isPlain(word[at]);
}

// A full stop behind a name ends the sentence, not the name.
function trimmed(word: string): string {
  return word.replace(/[._:/-]+$/, '');
}

function withoutSource(word: string): string {
  return word.replace(/^(?:project|user|builtin):/i, '');
}

function lastPart(folderName: string): string {
  return folderName.slice(folderName.lastIndexOf('/') + 1);
}

function slug(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s_]+/g, '-');
}
