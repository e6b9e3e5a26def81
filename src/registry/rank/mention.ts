// Skills a request names: @name, /name, $name or the whole name. A name that is negated, or refers to the past, does not call the skill.
import { foldText } from './fold.ts';
import type { RankIndex } from './index.ts';
import { findTerm, nameKey } from './stream.ts';

/** How a skill was named: called for, merely named, or refused. */
export type Mention = 'called' | 'named' | 'refused';

const WORD = /(?<sigil>[@/$])?(?<name>[a-z0-9][a-z0-9_.:-]*|(?<=[@/$])[\p{L}\p{N}][\p{L}\p{N}_.:-]*)/giu;
/** Characters before and after a name that say how it is meant. */
const CONTEXT = 80;
const REFUSED =
  /(?:\bnot|n['’]t|\bno|\bwithout|\binstead of|\brather than|\bexcept|不是|不用|不要用?|别用|而非)\s*(?:the\s+|use\s+|using\s+|a\s+)?["'“`]*$/i;
/** Told as done, in the same sentence. */
const BEHIND = /\b(?:finished|completed|ran|done with|after|already|just)\b[^.!?。！？\n]*$/i;
const CALLING =
  /(?:\buse|\busing|\brun|\bwith|\bvia|\binvoke|\bcall|\bload|\bapply|用|调用|运行|通过)\s*(?:the\s+)?["'“`]*$/i;
const CALLED_SKILL = /^["'”`]*\s*(?:skill\b|技能)/i;

/** Document numbers of the named skills; one refusal anywhere wins. */
export function findMentions(index: RankIndex, request: string): Map<number, Mention> {
  const mentions = new Map<number, Mention>();
  const text = foldText(request);
  for (const word of text.matchAll(WORD)) {
    const name = word.groups?.name?.replace(/[.:_-]+$/, '') ?? '';
    const documents = documentsNamed(index, name);
    if (documents.length === 0) continue;
    const mention = judge(text, word.index, word[0], name);
    if (!mention) continue;
    for (const document of documents) {
      const before = mentions.get(document);
      if (before !== 'refused' && (before !== 'called' || mention === 'refused')) mentions.set(document, mention);
    }
  }
  return mentions;
}

function judge(text: string, at: number, written: string, name: string): Mention | undefined {
  const before = text.slice(Math.max(0, at - CONTEXT), at);
  const after = text.slice(at + written.length, at + written.length + CONTEXT);
  const inPath = after.startsWith('/') || /[\w.~/]$/.test(before);
  if (inPath) return undefined;
  const hasSigil = /^[@/$]/.test(written);
  const isCompound = /[-_]/.test(name);
  const isCalled = CALLING.test(before);
  const isSkill = CALLED_SKILL.test(after);
  // A single common word, or $word inside a line, is not a mention by itself.
  const isAddress = hasSigil && (isCompound || before.trim() === '' || !written.startsWith('$'));
  if (!isAddress && !isCompound && !(isCalled && isSkill)) return undefined;
  if (REFUSED.test(before)) return 'refused';
  if (BEHIND.test(before)) return undefined;
  return isAddress || isCalled || isSkill ? 'called' : 'named';
}

function documentsNamed(index: RankIndex, name: string): number[] {
  const term = findTerm(index.terms, `=${nameKey(name)}`);
  if (term < 0) return [];
  return [...index.words.document.subarray(index.words.start[term], index.words.start[term + 1])];
}
