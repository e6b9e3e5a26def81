// Searches skills by request: the router over the current skills, for people and for the catalog.
import type { Diagnostic } from '../../base/diagnostic.ts';
import type { SkillId } from '../../skill/skill-id.ts';
import type { Index, ListedSkill, SkillEntry } from '../discover.ts';
import type { RankIndex } from '../rank/index.ts';
import { rank } from '../rank/rank.ts';
import { searchFiles } from './memory.ts';
import { type Bodies, keyOf, updateRanking } from './update.ts';

export interface SearchHit {
  readonly skill: ListedSkill;
  readonly score: number;
  /** Words of the request found in the skill, the most significant first. */
  readonly matched: readonly string[];
}

export interface SearchResult {
  readonly hits: readonly SearchHit[];
  /** No good match; the hits are only the nearest. */
  readonly abstained: boolean;
}

export interface SearchOptions {
  readonly limit?: number;
  /** Filter of the skills that may be found; all of them without it. */
  readonly accept?: (skill: ListedSkill) => boolean;
}

export interface SearchIndex {
  search(request: string, options?: SearchOptions): SearchResult;
  /** For the catalog: ids of the skills whose descriptions a model should see for this request, best first. */
  shortlist(request: string, limit?: number): SkillId[];
  /** Why the index or a skill could not be read; known after the first search. */
  readonly problems: readonly Diagnostic[];
  /** Updates the index on disk, as searching does too. */
  refresh(): void;
}

export interface SearchOrder {
  /** Where the index is kept. */
  readonly folder: string;
  readonly bodies: Bodies;
  readonly now: number;
}

const SHORTLIST = 10;

/** Reads nothing before the first call. */
export function openSearchIndex(index: Pick<Index, 'skills' | 'roots'>, order: SearchOrder): SearchIndex {
  const { skills, roots } = index;
  let opened: Opened | undefined;
  const problems: Diagnostic[] = [];
  const open = () => (opened ??= openRanking(skills, roots, { ...order, tell: (problem) => problems.push(problem) }));
  const search = (request: string, options: SearchOptions = {}) => searchSkills(open(), request, options);
  return {
    search,
    problems,
    shortlist: (request, limit = SHORTLIST) =>
      search(request, { limit, accept: isForModels }).hits.map(({ skill }) => skill.skillId),
    refresh: () => void open(),
  };
}

/** The skills a model may choose by itself. */
export function isForModels({ state, manifest }: SkillEntry): boolean {
  return state === 'visible' && !manifest.disableModelInvocation;
}

/** The documents of the ranking are the skills, in their order. */
interface Opened {
  readonly skills: readonly ListedSkill[];
  readonly byKey: ReadonlyMap<string, ListedSkill>;
  readonly ranking: RankIndex;
}

type Order = SearchOrder & { readonly tell: (problem: Diagnostic) => void };

function openRanking(skills: readonly ListedSkill[], roots: Index['roots'], order: Order): Opened {
  const ranking = updateRanking(skills, searchFiles(order.folder, roots), order);
  return { skills, ranking, byKey: new Map(skills.map((skill) => [keyOf(skill), skill])) };
}

function searchSkills({ skills, byKey, ranking }: Opened, request: string, options: SearchOptions): SearchResult {
  const { limit, accept } = options;
  const { hits, abstained } = rank(ranking, request, {
    ...(limit !== undefined && { limit }),
    ...(accept && { accept: (document) => isAccepted(skills[document], accept) }),
  });
  const found = hits.flatMap(({ id, score, matched }) => {
    const skill = byKey.get(id);
    return skill ? [{ skill, score, matched }] : [];
  });
  return { hits: found, abstained };
}

function isAccepted(skill: ListedSkill | undefined, accept: (skill: ListedSkill) => boolean): boolean {
  return skill !== undefined && accept(skill);
}
