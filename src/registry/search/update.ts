// Updates the ranking incrementally: only new or changed skills are read and tokenized again.
import { type Diagnostic, readerFailed } from '../../base/diagnostic.ts';
import { sha256 } from '../../base/ids.ts';
import type { ListedSkill } from '../discover.ts';
import { buildRankIndex, knownDigests, type RankIndex, updateRankIndex } from '../rank/index.ts';
import type { RankDocument } from '../rank/stream.ts';
import { packTexts } from '../rank/text.ts';
import type { Remembered, SearchFiles, SearchMemory } from './memory.ts';
import { stampOf } from './stamp.ts';
import { readScriptText, readSearchText, type SearchText } from './text.ts';

/**
 * `read`: bodies and examples of new and changed skills are read into the index. `remembered`: no file of a skill is
 * opened; skills no earlier scan or search has read are found by name and description.
 */
export type Bodies = 'read' | 'remembered';

/** One skill to be added to the ranking. */
interface Item {
  readonly skill: ListedSkill;
  readonly stamp: string;
  readonly front: string;
  /** Missing until the skill's files have been read. */
  digest?: string;
  document?: RankDocument;
}

/** Called with the reason when a skill could not be read for the index. */
type Tell = (problem: Diagnostic) => void;

/** Reading this many skills to learn that nothing changed is faster than rebuilding the ranking. */
const FEW = 1000;

/** The documents of the ranking are the skills, in their order. */
export function updateRanking(
  skills: readonly ListedSkill[],
  files: SearchFiles,
  { bodies, now, tell }: { readonly bodies: Bodies; readonly now: number; readonly tell: Tell },
): RankIndex {
  const memory = files.loadMemory();
  const earlier = files.loadRanking();
  const digests = earlier ? knownDigests(earlier) : new Map<string, number>();
  const items = skills.map((skill) => {
    const kept = memory.get(keyOf(skill));
    const usable = kept && digests.has(kept.digest) ? kept : undefined;
    return bodies === 'read' ? byFiles(skill, usable, now) : byNames(skill, usable);
  });
  if (earlier) readFew(items, tell);
  const isCurrent = earlier !== undefined && holds(earlier, items);
  const ranking = isCurrent ? earlier : makeRanking(earlier, items, tell);
  for (const problem of files.problems()) tell(problem);
  const current = remember(items);
  if (!isCurrent || !isSame(memory, current)) files.save(current, isCurrent ? undefined : ranking);
  return ranking;
}

function byFiles(skill: ListedSkill, kept: Remembered | undefined, now: number): Item {
  // Taken before reading: a change in between makes the next search read again.
  const stamp = stampOf(skill, now);
  const front = frontOf(skill);
  const isUnchanged = kept !== undefined && stamp !== '' && kept.stamp === stamp && kept.front === front;
  return isUnchanged ? { skill, stamp, front, digest: kept.digest } : { skill, stamp, front };
}

function byNames(skill: ListedSkill, kept: Remembered | undefined): Item {
  const front = frontOf(skill);
  if (kept?.front === front) return { skill, stamp: kept.stamp, front, digest: kept.digest };
  const digest = `front ${front}`;
  const { name, description } = skill;
  return { skill, stamp: '', front, digest, document: { id: keyOf(skill), digest, name, description } };
}

/** Scripts of a role share a folder; their ids are unique in it. */
export function keyOf({ folder, skillId, ofRole }: ListedSkill): string {
  return ofRole ? skillId : folder;
}

/** With what agent.yaml says of a skill of a role. */
function frontOf({ name, description, ofRole }: ListedSkill): string {
  return sha256(JSON.stringify([name, description, ...(ofRole ? [ofRole.facts] : [])])).slice(0, 32);
}

function readFew(items: readonly Item[], tell: Tell): void {
  const unread = items.filter(({ digest }) => digest === undefined);
  if (unread.length > FEW) return;
  for (const item of unread) item.document = readDocument(item, tell);
}

function readDocument(item: Item, tell: Tell): RankDocument {
  const { skill } = item;
  const content = { name: skill.name, description: skill.description, ...readTexts(skill, tell) };
  item.digest = sha256(JSON.stringify(content));
  return { id: keyOf(skill), digest: item.digest, ...content };
}

/** A skill with an unreadable file is found by name and description, and the others are indexed. */
function readTexts(skill: ListedSkill, tell: Tell): Partial<SearchText> {
  try {
    const isScript = skill.ofRole !== undefined && !skill.file.endsWith('SKILL.md');
    return isScript ? readScriptText(skill, skill.manifest.actions) : readSearchText(skill);
  } catch (error) {
    tell(readerFailed(skill.file, error));
    return {};
  }
}

function holds(ranking: RankIndex, items: readonly Item[]): boolean {
  if (items.some(({ digest }) => digest === undefined)) return false;
  const texts = packTexts(items.flatMap(({ skill, digest = '' }) => [keyOf(skill), digest, skill.name]));
  return isEqual(texts.bytes, ranking.texts.bytes) && isEqual(texts.start, ranking.texts.start);
}

function isEqual(one: Uint8Array | Uint32Array, other: Uint8Array | Uint32Array): boolean {
  return Buffer.from(one.buffer, one.byteOffset, one.byteLength).equals(
    Buffer.from(other.buffer, other.byteOffset, other.byteLength),
  );
}

function makeRanking(earlier: RankIndex | undefined, items: readonly Item[], tell: Tell): RankIndex {
  const documents = documentsOf(items, tell);
  return earlier ? updateRankIndex(earlier, documents) : buildRankIndex(documents);
}

/** One after the other, so that only one body is in memory. */
function* documentsOf(items: readonly Item[], tell: Tell): Generator<RankDocument> {
  for (const item of items) {
    const { skill, digest, document } = item;
    if (document) yield document;
    else if (digest === undefined) yield readDocument(item, tell);
    // Known by its digest: the rest of it is in the earlier ranking.
    else yield { id: keyOf(skill), digest, name: skill.name, description: '' };
  }
}

function remember(items: readonly Item[]): SearchMemory {
  return new Map(items.map(({ skill, stamp, front, digest = '' }) => [keyOf(skill), { stamp, front, digest }]));
}

function isSame(one: SearchMemory, other: SearchMemory): boolean {
  if (one.size !== other.size) return false;
  for (const [folder, { stamp, front, digest }] of one) {
    const now = other.get(folder);
    if (now?.stamp !== stamp || now.front !== front || now.digest !== digest) return false;
  }
  return true;
}
