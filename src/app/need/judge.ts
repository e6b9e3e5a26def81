// All that a skill needs, judged: what its code reaches and what it imports.
import type { Runtime } from '../runtime.ts';
import type { FoundNeeds } from './cache.ts';
import { judgePackages } from './package-state.ts';
import { type JudgedNeed, judgeNeeds, type NeedySkill } from './state.ts';

/** `mayStart`: whether Python may be started to ask it for its packages. */
export async function judgeAll(
  { needs, packages }: Pick<FoundNeeds, 'needs' | 'packages'>,
  skill: NeedySkill,
  runtime: Runtime,
  { mayStart } = { mayStart: true },
): Promise<JudgedNeed[]> {
  return [...judgeNeeds(needs, skill, runtime), ...(await judgePackages(packages, skill, runtime, { mayStart }))];
}
