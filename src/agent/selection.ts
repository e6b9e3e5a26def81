// Which of the skills a model asked for are loaded now, in which order, and the message about the others.
import { visible } from '../base/text.ts';
import type { SkillEntry } from '../registry/discover.ts';
import { damagedSkill } from '../registry/named-skill.ts';
import { resolveSkill } from '../registry/resolve.ts';
import type { Source } from '../skill/skill.ts';
import type { Session } from './session.ts';

export interface SkillRef {
  readonly name: string;
  readonly source?: Source | undefined;
}

export interface Selection {
  readonly load: readonly SkillEntry[];
  /** One line for each skill that was not loaded. */
  readonly notes: readonly string[];
  /** None of the requested skills is available. */
  readonly failed: boolean;
}

export type FoundSkill = { readonly skill: SkillEntry } | { readonly problem: string };

export const BODIES_PER_TURN = 2;

export function chooseSkills(wanted: readonly SkillRef[], session: Session): Selection {
  const notes: string[] = [];
  const chosen = new Set<SkillEntry>();
  for (const ref of wanted) {
    const found = findSkill(ref, session);
    const members = 'problem' in found ? found.problem : withRequired(found.skill, session, notes);
    if (typeof members === 'string') notes.push(members);
    else for (const skill of members) chosen.add(skill);
  }
  const ready = [...chosen].filter((skill) => isReady(skill, session, notes));
  const ordered = [...ready.filter(isCoordinating), ...ready.filter((skill) => !isCoordinating(skill))];
  for (const { name } of ordered.slice(BODIES_PER_TURN)) notes.push(tooMany(name));
  return { load: ordered.slice(0, BODIES_PER_TURN), notes, failed: chosen.size === 0 };
}

/** A skill this run may use; one that models may not choose needs a user who named it. */
export function findSkill({ name, source }: SkillRef, { index, state }: Pick<Session, 'index' | 'state'>): FoundSkill {
  const resolved = resolveSkill(index, name, source ? { source } : {});
  if ('damaged' in resolved) return { problem: damagedSkill(resolved.damaged).sentence.en };
  if ('missing' in resolved) return { problem: unknownSkill(name, resolved.suggestions) };
  const { found } = resolved;
  const isHidden = found.manifest.disableModelInvocation && !state.request.named.includes(found.skillId);
  return isHidden ? { problem: unknownSkill(name, []) } : { skill: found };
}

/** A skill whose instructions were loaded; only its files and scripts are available. */
export function findSelected(ref: SkillRef, session: Pick<Session, 'index' | 'state'>): FoundSkill {
  const found = findSkill(ref, session);
  if ('problem' in found || isSelected(found.skill, session)) return found;
  return { problem: `${visible(found.skill.name)} is not selected: use select_skills first` };
}

export function isSelected({ skillId }: SkillEntry, { state }: Pick<Session, 'state'>): boolean {
  return state.loaded_skills.some(({ skill_id }) => skill_id === skillId);
}

/** The skills whose allow lists restrict a call that belongs to none of them. */
export function activeSkills({ index, state }: Pick<Session, 'index' | 'state'>): SkillEntry[] {
  if (state.loaded_skills.length === 0) return [];
  const ids = new Set(state.loaded_skills.map(({ skill_id }) => skill_id));
  return index.skills.filter(({ skillId }) => ids.has(skillId));
}

/** The least ambiguous name of a skill. */
export function referenceOf({ source, folderName }: SkillEntry): string {
  return `${source}:${folderName}`;
}

function isCoordinating({ manifest }: SkillEntry): boolean {
  return manifest.metadata?.role === 'coordinator' || (manifest.requires?.length ?? 0) > 0;
}

/** The skill and its requirements, itself first; the text of the problem for a dependency cycle. */
function withRequired(
  skill: SkillEntry,
  session: Session,
  notes: string[],
  above: readonly SkillEntry[] = [],
): SkillEntry[] | string {
  if (above.includes(skill)) {
    const circle = [...above.slice(above.indexOf(skill)), skill].map(({ name }) => visible(name)).join(' → ');
    return `${visible(above[0]?.name ?? skill.name)}: not loaded, its requirements run in a circle: ${circle}`;
  }
  const members = [skill];
  for (const name of skill.manifest.requires ?? []) {
    const found = findSkill({ name }, session);
    if ('problem' in found) {
      notes.push(`${visible(skill.name)} requires ${visible(name)}: ${found.problem}`);
      continue;
    }
    const more = withRequired(found.skill, session, notes, [...above, skill]);
    if (typeof more === 'string') return more;
    members.push(...more);
  }
  return members;
}

function isReady(skill: SkillEntry, session: Session, notes: string[]): boolean {
  const name = visible(skill.name);
  if (isSelected(skill, session)) {
    notes.push(`${name}: already loaded, see above`);
    return false;
  }
  if (skill.manifest.runMode !== 'subagent' || session.depth === 1) return true;
  notes.push(`${name}: works on its own; use invoke_skill with {"task": "…"}`);
  return false;
}

function tooMany(name: string): string {
  return `${visible(name)}: not loaded, at most ${BODIES_PER_TURN} in a turn; select it again if it is still needed`;
}

function unknownSkill(name: string, suggestions: readonly string[]): string {
  const near = suggestions.length > 0 ? `; did you mean ${suggestions.map(visible).join(', ')}?` : '';
  return `${visible(name)}: no such skill${near}`;
}
