// What is prepared of a skill already, and how the end of a preparation is told.
import { type Json, toJson } from '../../base/json.ts';
import { makeOutcome, type Outcome } from '../../base/outcome.ts';
import { counted } from '../../base/text/counted.ts';
import { visible } from '../../base/text.ts';
import { isLocked, lockPlace } from '../../environment/lock/lock-place.ts';
import type { NeedSet } from '../../environment/need/need-set.ts';
import { tellManifest } from '../../environment/store/manifest.ts';
import { readPrepared } from '../../environment/store/prepared.ts';
import { isForProgram } from '../../environment/store/program-stamp.ts';
import { findSound, storeName } from '../../environment/store/sound.ts';
import { calledName } from '../../registry/called-name.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import { digestSkill } from '../../skill/digest.ts';
import type { Runtime } from '../runtime.ts';
import { pythonHere } from './python-here.ts';

/** Each set is consented to as the lock has it, built for this interpreter, and sound; undefined where one is not. */
export async function preparedAlready(
  skill: SkillEntry,
  sets: readonly NeedSet[],
  runtime: Runtime,
): Promise<Json[] | undefined> {
  const { home, project } = runtime;
  const { isolated } = runtime.config.environment;
  const prepared = readPrepared(home, project, digestSkill(skill).digest);
  if (!prepared) return undefined;
  const lock = lockPlace(project);
  const found: Json[] = [];
  for (const { ecosystem, digest } of sets) {
    const part = prepared.parts.find((one) => one.ecosystem === ecosystem);
    const manifest = part && isLocked(lock, part.entry, digest) ? findSound(home, part.name) : undefined;
    if (!part || !manifest || !isForProgram(manifest) || storeName(part.entry, manifest.exact, isolated) !== part.name)
      return undefined;
    if (ecosystem === 'python' && (await pythonHere(runtime)).file !== part.interpreter) return undefined;
    found.push(toJson({ ...tellManifest(manifest), found: true }));
  }
  return found;
}

export function nothingNeeded(skill: SkillEntry, data: Record<string, Json>, runtime: Runtime): Outcome {
  const name = visible(calledName(skill));
  const summary = { en: `${name} needs no packages`, zh: `${name} 不需要软件包` };
  return makeOutcome(runtime.answering('skillwright', 'own'), 'success', summary, { ...data, environments: [] });
}

export function doneWith(
  skill: SkillEntry,
  environments: readonly Json[],
  data: Record<string, Json>,
  runtime: Runtime,
): Outcome {
  const name = visible(calledName(skill));
  const count = environments.reduce<number>((sum, one) => sum + packagesIn(one), 0);
  const summary = {
    en: `${name} is prepared: ${counted(count, 'package')}`,
    zh: `${name} 已就绪: ${count} 个软件包`,
  };
  const told = { ...data, environments: [...environments] };
  return makeOutcome(runtime.answering('skillwright', 'own'), 'success', summary, told);
}

function packagesIn(one: Json): number {
  return typeof one === 'object' && one !== null && !Array.isArray(one) && Array.isArray(one.packages)
    ? one.packages.length
    : 0;
}
