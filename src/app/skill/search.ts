// The skills that fit what somebody wants, best first.
import { type Diagnostic, readerFailed, speak } from '../../base/diagnostic.ts';
import { Fault } from '../../base/errors.ts';
import type { Text } from '../../base/language.ts';
import { makeOutcome, type Outcome } from '../../base/outcome.ts';
import { truncate, visible } from '../../base/text.ts';
import { calledName } from '../../registry/called-name.ts';
import type { Index, ListedSkill, RootReport } from '../../registry/discover.ts';
import type { SearchHit, SearchResult } from '../../registry/search/index.ts';
import { describeUnseen, unseenFolders } from '../../registry/unseen.ts';
import type { Source } from '../../skill/skill.ts';
import type { Runtime } from '../runtime.ts';
import { rolesFolder, skillsOfRoles } from './of-roles.ts';

export interface SearchWish {
  readonly query: string;
  readonly limit?: number;
  /** Only skills of this source, shadowed ones too. */
  readonly source?: string | undefined;
}

/** A skill that fits, as it is shown to a person. */
export interface ShownHit extends Pick<SearchHit, 'score' | 'matched'> {
  /** As people name it. */
  readonly name: string;
  readonly source: Source;
  readonly description: string;
}

export interface FoundSkills {
  readonly outcome: Outcome;
  readonly hits: readonly ShownHit[];
  /** Nothing fits well; the hits are only the nearest. */
  readonly abstained: boolean;
  /** What may hide skills, or makes every search slow. */
  readonly grave: readonly Diagnostic[];
  /** How many findings are more than information. */
  readonly problems: number;
}

const USUAL_LIMIT = 10;
/** Columns of the request that a summary repeats. */
const SHOWN = 60;

/** Reads the bodies of new and changed skills into the search index first; the skills of roles are among them. */
export async function searchSkills(runtime: Runtime, wish: SearchWish): Promise<FoundSkills> {
  const query = wish.query.trim();
  if (query === '') throw new Fault('Usage', { en: 'say what to look for', zh: '请写明要搜索的内容' });
  const index = runtime.index();
  const ofRoles = await readRoles(runtime, wish.source);
  const search = await runtime.searchIndex(withRoles(index, ofRoles.skills, runtime), 'read');
  const accept = (skill: ListedSkill) => isOffered(skill, wish.source);
  const result = worthShowing(search.search(query, { limit: wish.limit ?? USUAL_LIMIT, accept }));
  const missed = [...ofRoles.problems, ...search.problems];
  const problems = [...index.diagnostics.filter(isProblem), ...missed, ...unreadableSkills(index)];
  const unseen = unseenFolders(index);
  const state = unseen.length === 0 ? 'success' : 'partial';
  const outcome = makeOutcome(runtime.answering('skillwright', 'own'), state, summarize(query, result, problems), {
    hits: result.hits.map(describe),
    total: result.hits.length,
    abstained: result.abstained,
    diagnostics: speak(problems, runtime.language),
  });
  return {
    outcome,
    hits: result.hits.map(toFound),
    abstained: result.abstained,
    grave: [...unseen, ...missed],
    problems: problems.length,
  };
}

// Of the best hit; below it a skill shares no more than a common word with the request.
export const LEAST_SCORE = 0.05;

/** Where nothing fits, even the faintest are the nearest there are. */
function worthShowing(result: SearchResult): SearchResult {
  if (result.abstained) return result;
  return { ...result, hits: result.hits.filter(({ score }) => score >= LEAST_SCORE) };
}

interface RoleSkills {
  readonly skills: readonly ListedSkill[];
  readonly problems: readonly Diagnostic[];
}

/** Roles that cannot be read hide their own skills only. */
async function readRoles(runtime: Runtime, source: string | undefined): Promise<RoleSkills> {
  try {
    return { skills: await skillsOfRoles(runtime, source), problems: [] };
  } catch (error) {
    return { skills: [], problems: [readerFailed(rolesFolder(runtime), error)] };
  }
}

/** The folder of the roles as one more root: the index that runs choose from stays as it is. */
function withRoles(index: Index, skills: readonly ListedSkill[], runtime: Runtime): Index {
  if (skills.length === 0) return index;
  const root: RootReport = {
    folder: rolesFolder(runtime),
    label: 'agents',
    source: 'project',
    state: 'read',
    skills: skills.length,
  };
  return { ...index, skills: [...index.skills, ...skills], roots: [...index.roots, root] };
}

/** As `list` shows them. */
function isOffered({ source, state, userInvocable }: ListedSkill, wanted: string | undefined): boolean {
  return userInvocable && (wanted === undefined ? state === 'visible' : source === wanted);
}

/** What keeps a skill from being found at all. */
function unreadableSkills({ invalid }: Index): Diagnostic[] {
  return invalid.flatMap(({ diagnostics }) => diagnostics.filter(({ severity }) => severity === 'error'));
}

function isProblem({ severity }: Diagnostic): boolean {
  return severity !== 'info';
}

function toFound({ skill, score, matched }: SearchHit): ShownHit {
  return { name: calledName(skill), source: skill.source, description: skill.description, score, matched };
}

function describe({ skill, score, matched }: SearchHit) {
  return { name: skill.name, folder_name: skill.folderName, source: skill.source, score, matched };
}

function summarize(query: string, result: SearchResult, problems: readonly Diagnostic[]): Text {
  const found = countHits(query, result);
  const unseen = describeUnseen(problems);
  return { en: found.en + unseen.en, zh: found.zh + unseen.zh };
}

function countHits(query: string, { hits, abstained }: SearchResult): Text {
  const shown = visible(truncate(query, SHOWN));
  const [nearest] = hits;
  if (!nearest) return { en: `no skill for: ${shown}`, zh: `没有相关技能: ${shown}` };
  const count = hits.length === 1 ? '1 skill' : `${hits.length} skills`;
  if (!abstained) return { en: `${count} for: ${shown}`, zh: `找到 ${hits.length} 个技能: ${shown}` };
  const name = visible(calledName(nearest.skill));
  return {
    en: `nothing fits well: ${shown}; nearest: ${name}`,
    zh: `没有合适的技能: ${shown}; 最接近: ${name}`,
  };
}
