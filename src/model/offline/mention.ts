// Skills the request calls for, in its order; a name that is negated, or only a topic, does not call a skill.
import type { Index, SkillEntry } from '../../registry/discover.ts';
import { isStopWord } from '../../registry/rank/tokenize.ts';
import { resolveSkill } from '../../registry/resolve.ts';

export interface SkillMention {
  readonly skill: SkillEntry;
  readonly start: number;
  readonly end: number;
  /** Written as an address, so that what follows is meant for the skill. */
  readonly addressed: boolean;
}

export interface Mentions {
  readonly called: readonly SkillMention[];
  readonly refused: ReadonlySet<SkillEntry>;
  /** A skill is the topic; then only an explicit call is clear. */
  readonly talksAbout: boolean;
  /** Called by a name that no skill has. */
  readonly unknown?: { readonly name: string; readonly suggestions: readonly string[] };
}

/** The names of all skills, prepared once for any number of requests. */
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
      if ('found' in resolved) return [resolved.found.name];
      return 'missing' in resolved ? resolved.suggestions : [];
    },
  };
}

export function findMentions(request: string, names: SkillNames): Mentions {
  const { mentions, unknown } = findAddresses(request, names);
  const all = [...mentions, ...findSpoken(request, names, mentions)].toSorted((a, b) => a.start - b.start);
  const refused = new Set(all.filter(({ how }) => how === 'refused').map(({ skill }) => skill));
  const called = new Map<SkillEntry, SkillMention>();
  for (const mention of all.filter(({ how, skill }) => how === 'called' && !refused.has(skill)))
    called.set(mention.skill, called.get(mention.skill) ?? mention);
  return {
    called: [...called.values()],
    refused,
    talksAbout: all.length > 0,
    ...(unknown !== undefined && { unknown: { name: unknown, suggestions: names.suggest(unknown) } }),
  };
}

/** How a name is meant: as a call, as what is not wanted, or as a topic. */
type How = 'called' | 'refused' | 'told';

interface Judged extends SkillMention {
  readonly how: How;
}

const WORD = String.raw`[\p{L}\p{N}][\p{L}\p{N}_.:/-]{0,127}`;
const AT = new RegExp(String.raw`(?<![\w.@])@(?<word>${WORD})`, 'giu');
const PHRASE = new RegExp(
  String.raw`(?:(?:运行|使用|调用|执行|用)(?:一下)?技能|\b(?:run|use|invoke|call)\s+(?:the\s+)?skill\b)\s*[:：]?\s*["“'\x60@]?(?<word>${WORD})`,
  'giu',
);
const SPOKEN =
  /(?<![\w.~@/-])(?<slash>\/)?(?<word>[a-z0-9][a-z0-9_.-]{0,127}(?:\/[a-z0-9][a-z0-9_.-]{0,127})?)(?!\/)/gi;
/** Characters before a name that say how it is meant. */
const CONTEXT = 60;
const REFUSED =
  /(?:\bnot|n['’]t|\bno|\bnever|\bwithout|\binstead of|\brather than|\bexcept|不是|不用|不要用?|不使用|别用|而非)\s*(?:the\s+|use\s+|run\s+|using\s+|a\s+)?["'“`@/]*$/i;
/** Told as done, in the same sentence. */
const BEHIND = /\b(?:finished|completed|ran|done with|after|already|just)\b[^.!?。！？\n]*$/i;
const CALLING = /(?:\buse|\busing|\brun|\bwith|\bvia|\binvoke|\bcall|用|调用|运行|通过)\s*(?:the\s+)?["'“`]*$/i;
const IS_SKILL = /^["'”`]*\s*(?:skill\b|技能)/i;
const SENTENCE_START = /(?:^|[.!?。！？;；,，:：\n]|\bthen|然后|再)\s*$/i;

/** `@name`, `运行技能 name`, `run skill name`: an unknown name is reported, unless it may be anything. */
function findAddresses(request: string, names: SkillNames): { mentions: Judged[]; unknown?: string } {
  const mentions: Judged[] = [];
  const unknown: string[] = [];
  for (const match of [...request.matchAll(PHRASE), ...request.matchAll(AT)]) {
    const word = trimmed(match.groups?.word ?? '');
    const found = longestName(word, names);
    const from = match.index + match[0].length - (match.groups?.word?.length ?? 0);
    if (found) {
      const start = request[from - 1] === '@' ? from - 1 : from;
      const how = isRefused(request, match.index) ? 'refused' : 'called';
      if (!mentions.some((one) => one.start === start))
        mentions.push({ skill: found.skill, start, end: from + found.length, addressed: true, how });
    } else if ((match.index === 0 || !match[0].startsWith('@')) && !isStopWord(word.toLowerCase())) unknown.push(word);
  }
  const [first] = unknown;
  return { mentions, ...(first !== undefined && mentions.length === 0 && { unknown: first }) };
}

/** `/name` where a command could be, `use some-name`, `the name skill`. */
function findSpoken(request: string, names: SkillNames, taken: readonly SkillMention[]): Judged[] {
  const mentions: Judged[] = [];
  for (const match of request.matchAll(SPOKEN)) {
    const word = trimmed(match.groups?.word ?? '');
    const start = match.index;
    if (taken.some((one) => start >= one.start && start < one.end)) continue;
    const skill = names.find(word);
    const hasSlash = match.groups?.slash !== undefined;
    const end = start + word.length + (hasSlash ? 1 : 0);
    const how = skill && judge(request, start, end, word);
    if (how) mentions.push({ skill, start, end, addressed: hasSlash || start === 0, how });
  }
  return mentions;
}

function judge(request: string, start: number, end: number, word: string): How | undefined {
  const before = request.slice(Math.max(0, start - CONTEXT), start);
  const after = request.slice(end, end + CONTEXT);
  const hasSlash = request[start] === '/';
  const isSkill = IS_SKILL.test(after);
  const isCompound = /[-_]/.test(word);
  // A common word is a name only where it is called a skill.
  if (!hasSlash && !isCompound && !isSkill) return undefined;
  if (isRefused(request, start)) return 'refused';
  if (BEHIND.test(before)) return 'told';
  const isFirst = hasSlash ? SENTENCE_START.test(before) : start === 0 && isCompound && !beginsSentence(after);
  return isFirst || CALLING.test(before) ? 'called' : 'told';
}

/** "reverse-engineer a file" is a sentence, "reverse-engineer a.bin" is a command. */
function beginsSentence(after: string): boolean {
  const [next = ''] = after.trim().split(/\s+/, 1);
  return isStopWord(next.toLowerCase());
}

function isRefused(request: string, start: number): boolean {
  return REFUSED.test(request.slice(Math.max(0, start - CONTEXT), start));
}

/** Chinese puts no space after a name, so the longest prefix that is a name is used. */
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

// A full stop after a name ends the sentence, not the name.
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
