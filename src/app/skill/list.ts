// The skills a person can use from here, and what keeps others from being seen.
import { type Diagnostic, speak } from '../../base/diagnostic.ts';
import type { Text } from '../../base/language.ts';
import { makeOutcome, type Outcome } from '../../base/outcome.ts';
import { calledName } from '../../registry/called-name.ts';
import { allDiagnostics, eachDiagnostic, type Index, type ListedSkill } from '../../registry/discover.ts';
import { describeUnseen, unseenFolders } from '../../registry/unseen.ts';
import { SOURCES, type Source } from '../../skill/skill.ts';
import type { Runtime } from '../runtime.ts';
import { describeSkill } from '../view/skill.ts';
import { skillsOfRoles } from './of-roles.ts';

export interface ListWish {
  /** Only skills of this source, shadowed ones too. */
  readonly source?: string | undefined;
  /** Also shadowed skills and those only a model may choose. */
  readonly all?: boolean;
  /** Also skills inside the folders of other skills. */
  readonly deep?: boolean;
}

export interface SkillList {
  readonly index: Index;
  readonly skills: readonly ListedSkill[];
  /** As people name a skill of the list; asked only for those that are shown. */
  readonly nameOf: (skill: ListedSkill) => string;
  /** Where the shadowed skills come from, by their name. */
  readonly hidden: ReadonlyMap<string, readonly Source[]>;
  /** Folders that were not read to their end. */
  readonly unseen: readonly Diagnostic[];
  /** How many findings are more than information. */
  readonly problems: number;
}

export function listSkills(runtime: Runtime, wish: ListWish = {}): SkillList {
  const index = runtime.index({ deep: wish.deep ?? false });
  return {
    index,
    skills: chooseSkills(index, wish),
    nameOf: calledName,
    hidden: hiddenSources(index),
    unseen: unseenFolders(index),
    problems: countProblems(index),
  };
}

/** With the skills of roles behind them. */
export async function listWithRoles(runtime: Runtime, wish: ListWish = {}): Promise<SkillList> {
  const list = listSkills(runtime, wish);
  return { ...list, skills: [...list.skills, ...(await skillsOfRoles(runtime, wish.source))] };
}

/** Every field of every skill only on request: a person reads the lines of a table, and describing thousands takes long. */
export function answerList(list: SkillList, runtime: Runtime, detail: 'every field' | 'counts'): Outcome {
  const { index, skills, unseen } = list;
  const state = unseen.length === 0 ? 'success' : 'partial';
  const total = skills.length;
  const data =
    detail === 'counts'
      ? { total }
      : { skills: skills.map(describeSkill), total, diagnostics: speak(allDiagnostics(index), runtime.language) };
  return makeOutcome(runtime.answering('skillwright', 'own'), state, countSkills(skills, index.diagnostics), data);
}

function chooseSkills({ skills }: Index, { source, all = false }: ListWish): readonly ListedSkill[] {
  const ofSource = source === undefined ? skills : skills.filter((skill) => skill.source === source);
  if (all) return ofSource;
  return ofSource.filter(({ userInvocable, state }) => {
    return userInvocable && (state === 'visible' || source !== undefined);
  });
}

/** Of one name all but its owner are hidden. */
function hiddenSources({ skills }: Index): SkillList['hidden'] {
  const shadowed = Map.groupBy(
    skills.filter(({ state }) => state === 'shadowed'),
    ({ name }) => name,
  );
  return new Map([...shadowed].map(([name, those]) => [name, those.map(({ source }) => source)]));
}

function countProblems(index: Index): number {
  let problems = 0;
  for (const { severity } of eachDiagnostic(index)) if (severity !== 'info') problems++;
  return problems;
}

function countSkills(skills: readonly ListedSkill[], found: readonly Diagnostic[]): Text {
  const unseen = describeUnseen(found);
  if (skills.length === 0) return { en: `no skills here${unseen.en}`, zh: `没有技能${unseen.zh}` };
  const counts = { project: 0, user: 0, builtin: 0 };
  for (const { source } of skills) counts[source]++;
  const parts = SOURCES.filter((source) => counts[source] > 0).map((source) => `${source} ${counts[source]}`);
  const plural = skills.length === 1 ? 'skill' : 'skills';
  return {
    en: `${skills.length} ${plural}: ${parts.join(', ')}${unseen.en}`,
    zh: `共 ${skills.length} 个技能: ${parts.join(', ')}${unseen.zh}`,
  };
}
