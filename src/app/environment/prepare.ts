// Prepares the packages of a skill: found, resolved once into the lock, consented to, and built; what is there already is used.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { toJson } from '../../base/json.ts';
import { inLanguage } from '../../base/language.ts';
import type { Outcome } from '../../base/outcome.ts';
import type { FoundPackages } from '../../environment/need/mention.ts';
import { type NeedSet, needSet } from '../../environment/need/need-set.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import type { Source } from '../../skill/skill.ts';
import { findTarget } from '../find-target.ts';
import { unreadText } from '../need/unread-text.ts';
import type { Caller } from '../open-door.ts';
import type { Runtime } from '../runtime.ts';
import { neededPackages } from './needed.ts';
import { doneWith, nothingNeeded, preparedAlready } from './prepared.ts';
import { isGuess, refuseConflicts } from './refuse.ts';

export interface PrepareRequest {
  readonly skill: string;
  readonly source?: Source | undefined;
  /** Nothing is resolved: what the lock does not name is refused. */
  readonly frozen: boolean;
  readonly withoutScripts: boolean;
  /** The index is asked again; what the lock has stays until the new packages were agreed to and built. */
  readonly update: boolean;
}

export async function prepareSkill(request: PrepareRequest, runtime: Runtime, caller: Caller): Promise<Outcome> {
  runtime.requireConfig();
  const { skill, reference } = await findTarget(request.skill, request.source, runtime);
  const found = await neededPackages(skill, runtime);
  const outcome = await prepareFound(found, { request, skill, reference, runtime, caller });
  const warnings = found.unread.map((one) => inLanguage(unreadText(one), runtime.language));
  return { ...outcome, ...(warnings.length > 0 && { warnings }) };
}

interface Target {
  readonly request: PrepareRequest;
  readonly skill: SkillEntry;
  readonly reference: string;
  readonly runtime: Runtime;
  readonly caller: Caller;
}

async function prepareFound(found: FoundPackages, target: Target): Promise<Outcome> {
  const { request, skill, reference, runtime, caller } = target;
  refuseConflicts(found, skill);
  const sets = (['python', 'node'] as const).flatMap((ecosystem) => needSet(ecosystem, found.needs) ?? []);
  const data = { skill: skill.skillId, needs: toJson([...found.needs]), unread: toJson([...found.unread]) };
  if (sets.length === 0) return nothingNeeded(skill, data, runtime);
  const ready = request.update ? undefined : await preparedAlready(skill, sets, runtime);
  if (ready) return doneWith(skill, ready, data, runtime);
  await askAhead(sets, runtime);
  const { carryOut } = await import('./carry-out.ts');
  const yes = caller.yes === true && !isGuess(found);
  const built = await carryOut(sets, { request, reference, runtime, caller, yes });
  return 'state' in built ? built : doneWith(skill, built, data, runtime);
}

/** Python answers while the rest of what builds is loaded; whoever needs the answer is told where there is none. */
async function askAhead(sets: readonly NeedSet[], runtime: Runtime): Promise<void> {
  const { machineFor } = await import('./machine.ts');
  for (const { ecosystem } of sets) machineFor(ecosystem, runtime).catch(() => {});
  await nextTurn();
}
