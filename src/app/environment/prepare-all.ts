// Prepares the packages of every skill that declares some, one after the other; what one lacks keeps no other from its own.
import { toFault } from '../../base/errors.ts';
import { failedOutcome, makeOutcome, type Outcome } from '../../base/outcome.ts';
import { counted } from '../../base/text/counted.ts';
import { calledName } from '../../registry/called-name.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import type { Caller } from '../open-door.ts';
import type { Runtime } from '../runtime.ts';
import { neededPackages } from './needed.ts';
import { type PrepareRequest, prepareSkill } from './prepare.ts';

export interface PreparedOne {
  readonly skill: string;
  readonly outcome: Outcome;
}

export interface PreparedAll {
  readonly outcome: Outcome;
  readonly each: readonly PreparedOne[];
}

type AllWishes = Omit<PrepareRequest, 'skill' | 'source'>;

export async function prepareEvery(wishes: AllWishes, runtime: Runtime, caller: Caller): Promise<PreparedAll> {
  runtime.requireConfig();
  const each: PreparedOne[] = [];
  for (const skill of runtime.index().skills) {
    if (caller.signal?.aborted || (await neededPackages(skill, runtime)).needs.length === 0) continue;
    each.push({ skill: calledName(skill), outcome: await prepareOne(skill, wishes, runtime, caller) });
  }
  return { outcome: conclude(each, runtime), each };
}

async function prepareOne(skill: SkillEntry, wishes: AllWishes, runtime: Runtime, caller: Caller): Promise<Outcome> {
  const { source } = skill;
  try {
    return await prepareSkill({ ...wishes, skill: calledName(skill), source }, runtime, caller);
  } catch (error) {
    return failedOutcome(runtime.answering('skillwright', 'own'), toFault(error));
  }
}

function conclude(each: readonly PreparedOne[], runtime: Runtime): Outcome {
  const ready = each.filter(({ outcome }) => outcome.state === 'success').length;
  const summary = {
    en: `${ready} of ${counted(each.length, 'skill')} with packages prepared`,
    zh: `${each.length} 个含软件包的技能中 ${ready} 个已就绪`,
  };
  const skills = each.map(({ skill, outcome: { state, summary: said, data } }) => ({
    skill,
    state,
    summary: said,
    data,
  }));
  const state = ready === each.length ? 'success' : 'partial';
  return makeOutcome(runtime.answering('skillwright', 'own'), state, summary, { skills });
}
